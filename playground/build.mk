# The playground: the model, what answers vectors, and some commands, as WebAssembly; and the page around them.
WASM_CC := /usr/lib/llvm-22/bin/clang
WASM_FLAGS := --target=wasm32-wasi -Wno-deprecated --sysroot=/usr -isystem /usr/include/wasm32-wasi -std=c11 -D_POSIX_C_SOURCE=200809L -Dfwrite_unlocked=fwrite -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_GETPID \
    -Wall -Wextra -Wpedantic -Werror -Wno-gnu-statement-expression-from-macro-expansion -Oz -flto -include playground/libc/posix.h -Iplayground/libc -Imodel -I$(BUILD)/gen -Iconformance -Itools -Iplayground
# A stack of 1 MiB below everything, so that an overflow is noticed; at most 256 MiB of memory.
WASM_LDFLAGS := --target=wasm32-wasi -Wno-deprecated --sysroot=/usr -L/usr/lib/wasm32-wasi -Oz -flto -fuse-ld=/usr/lib/llvm-22/bin/wasm-ld \
    -Wl,--strip-all,-z,stack-size=1048576,--stack-first,--max-memory=268435456,--allow-undefined
# What needs neither files in ELF nor YAML nor child processes; the linker takes of it what the commands use.
WASM_SOURCES = $(shell grep -LE '<(gelf|libelf|elf|elfutils/[a-z]+|dwarf|libiberty/[a-z]+|yaml|sys/wait|poll)\.h>|"(objects/elf/)?(elf|die_list|edit)\.h|"run/process\.h' \
    $$(find model conformance/document conformance/ops conformance/vector tools playground -name '*.c') | grep -v '^tools/main\.c') conformance/run/runner.c
WASM_OBJECTS = $(WASM_SOURCES:%.c=$(BUILD)/wasm/%.o)

.PHONY: playground
playground: all  ## the playground: one HTML file, build/playground.html, with the model as WebAssembly
	.ci/setup build playground
	@$(MAKE) --no-print-directory $(BUILD)/playground.html

# Only a make that is about the playground looks for the sources.
ifneq ($(filter $(BUILD)/playground.%,$(MAKECMDGOALS)),)
$(BUILD)/wasm/%.o: %.c playground/build.mk playground/libc/posix.h | $(TABLES) $(HELP) $(BUILD)/gen/mutants_table.h
	@mkdir -p $(@D)
	$(call say,WASM,$<)$(WASM_CC) $(WASM_FLAGS) -DDLOC_VERSION='"$(VERSION)"' -MMD -MP -c -o $@ $<

$(BUILD)/playground.wasm: $(WASM_OBJECTS)
	@rm -f $(BUILD)/wasm/all.a
	@/usr/lib/llvm-22/bin/llvm-ar rcs $(BUILD)/wasm/all.a $^
	$(call say,LD,$@)$(WASM_CC) $(WASM_LDFLAGS) -o $@ $(BUILD)/wasm/playground/main.o $(BUILD)/wasm/all.a -lwasi-emulated-mman -lwasi-emulated-process-clocks -lwasi-emulated-getpid

$(BUILD)/playground.html: $(BUILD)/playground.wasm $(BUILD)/dloc playground/page.py $(wildcard tools/pages/syntax.* playground/page/* playground/examples/*) $(shell find vectors -name '*.yaml')
	$(call say,PAGE,$@)playground/page.py $(BUILD)/dloc $< $@

-include $(WASM_OBJECTS:.o=.d)
endif
