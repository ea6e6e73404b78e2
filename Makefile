# dloc: `make help` lists what can be made. New .c files are found by themselves.
#
# Settings:  V=1 (whole command lines)  CC  CFLAGS  LDFLAGS  BUILD  PREFIX  LIBDIR  DESTDIR
#   LLVM: bin directories of the LLVMs under test, `main` and `23` among them (make llvm-main, llvm-23); LABEL names one in the report
#   FUZZ_SECONDS: for each target; FUZZ_SEED=1: the same inputs first each time
#   FUZZ_CHANGED: how many seeds get one place changed, or `all`
#   SAMPLE=yes: shorter suites, see tests/run --help
VERSION := 0.1.0
# The number behind the names of the shared libraries.
SOVERSION := 0

BUILD ?= build
# Recipes have these as they are. BUILD is the name of targets, too, and what stands there is removed by `make clean`.
shell_characters := ' " ` ; & | < > * ? \ % : ~ ! { } [ ] $$ \# ( )
unsafe = $(strip $(foreach character,$(shell_characters),$(findstring $(character),$(value $(1)))) $(filter -%,$(value $(1))))
$(foreach name,BUILD LLVM HOURS FUZZ_SECONDS FUZZ_SEED FUZZ_CHANGED,$(if $(filter command line environment override,$(origin $(name))),$(if $(call unsafe,$(name)), \
    $(error $(name)='$(value $(name))' has a character that make or the shell reads otherwise: $(call unsafe,$(name))))))
ifneq ($(words $(BUILD)),1)
$(error BUILD='$(BUILD)' has to be one word)
endif
ifneq ($(if $(subst /,,$(subst .,,$(BUILD))),$(findstring ^$(abspath $(BUILD))/,^$(CURDIR)/),above),)
$(error BUILD=$(BUILD) is the folder of the sources, or one above it)
endif
ifneq ($(if $(filter build build/%,$(BUILD)),,$(if $(wildcard $(BUILD)/flags),,$(wildcard $(BUILD)/* $(BUILD)/.[!.]*))),)
$(error BUILD=$(BUILD) is a folder with files of somebody else; a build folder is new)
endif
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
FUZZ_SECONDS ?= 60
HOURS ?= 1
FUZZ_SEED ?=
FUZZ_CHANGED ?= 3000
LLVM ?= $(lastword $(shell ls -d /usr/lib/llvm-*/bin 2>/dev/null | sort -V))
# The newer LLVMs that the archive has; those of them that are asked for; where all that are asked for stand.
NEWER_LLVMS := llvm-main llvm-23
newer = $(filter main 23,$(LLVM))
llvm_directories = $(foreach llvm,$(LLVM),$(if $(filter main 23,$(llvm)),$(BUILD)/llvm-$(llvm)/bin,$(llvm)))
# One job for each processor, unless -j says otherwise; a short line for each step, unless V=1.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif
# Several targets are made one after the other, as each may install packages and build.
ifneq ($(word 2,$(filter-out all unit-tests fuzzers replays objects,$(MAKECMDGOALS))),)
.NOTPARALLEL:
endif
quiet := $(findstring s,$(firstword -$(MAKEFLAGS)))
say = $(if $(V),,@$(if $(quiet),,printf '  %-5s %s\n' $(1) $(2);))
ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS ?= -O2 -g
# What the libraries stand on: MD5; DIEs and ELF.
LIBS := -lmd
OBJECTS_LIBS := -ldw -lelf
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# What makes mistakes harder to use (SECURITY.md). Sanitizers look for them by themselves. _FORTIFY_SOURCE needs an optimizer and a C library that knows its level.
fortify = $(shell for level in 3 2; do printf '%binclude <stdio.h>\n' '\043' | $(CC) -O2 -D_FORTIFY_SOURCE=$$level -Werror -x c -fsyntax-only - 2>/dev/null && echo $$level && break; done)
ifeq ($(findstring sanitize,$(CFLAGS)),)
HARDENED := -fstack-protector-strong -fstack-clash-protection $(if $(filter x86_64-%,$(shell $(CC) -dumpmachine)),-fcf-protection) \
    $(if $(filter -O1 -O2 -O3 -Os -Og,$(CFLAGS)),$(if $(findstring _FORTIFY_SOURCE,$(CFLAGS)),,-D_FORTIFY_SOURCE=$(fortify)))
HARDENED_LINK := -Wl,-z,relro -Wl,-z,now
endif

# `make mutants` sets MUTANTS: its build compiles the sources of the model that tools/make/mutate.py makes.
ALL_CFLAGS = -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Werror -fPIC -fvisibility=hidden \
    -fno-semantic-interposition $(HARDENED) $(CFLAGS) $(if $(MUTANTS),-DDLOC_MUTANTS)
objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(shell find $(1) -name '*.c'))
OBJECTS := $(call objects,model/objects)
MODEL := $(filter-out $(OBJECTS),$(call objects,model))
LIBRARIES := $(BUILD)/libdloc-objects.a $(BUILD)/libdloc.a
CONFORMANCE := $(filter-out %/preloaded.o,$(call objects,conformance))
TOOLS := $(call objects,tools)
TESTS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
TEST_SUPPORT := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out tests/unit/test_%,$(wildcard tests/unit/*.c)))
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_SUPPORT := $(patsubst %.c,$(BUILD)/obj/%.o, \
    $(filter-out tests/fuzz/fuzz_% tests/fuzz/replay.c,$(wildcard tests/fuzz/*.c)))
REPLAYS := $(FUZZERS:$(BUILD)/fuzz/fuzz_%=$(BUILD)/replay/%)

SPECIFICATION := SPEC.md $(wildcard spec/*.md)
# The tables that are made from the specification. A table that the script leaves unchanged keeps its date, and
# nothing is compiled again.
TABLES := $(addprefix $(BUILD)/gen/,clauses.def choices.def profiles.def reasons.def)
# The help of commands, likewise.
HELP_TEXTS := $(wildcard tools/*/*.help)
HELP := $(patsubst %.help,$(BUILD)/gen/help/%.h,$(notdir $(HELP_TEXTS)))

# The model stands alone: neither YAML nor the conformance run can be reached from it.
$(BUILD)/obj/model/%.o: INCLUDES := -Imodel -I$(BUILD)/gen
$(BUILD)/obj/conformance/%.o: INCLUDES := -Imodel -I$(BUILD)/gen -Iconformance
$(BUILD)/obj/tools/%.o $(BUILD)/obj/tests/%.o: INCLUDES := -Imodel -I$(BUILD)/gen -Iconformance -Itools

.PHONY: all $(NEWER_LLVMS) passes patch-coverage demo demo-mlir gdb-picture setup unit-tests fuzzers replays objects check check-long conformance run-conformance \
    pairwise mutants browser builds producers patched-llvm patched-tools confirm faults projection line-tables zero-cost \
    families results cost fingerprint asan fuzz soak bench complexity dist install uninstall deb format format-check count clean distclean \
    help
.DELETE_ON_ERROR:
.SECONDARY:

all: $(BUILD)/dloc $(LIBRARIES) $(LIBRARIES:.a=.so) $(BUILD)/python/compiled
unit-tests: $(TESTS)
fuzzers: $(FUZZERS)
replays: $(REPLAYS)
# Everything compiled, nothing linked.
objects: $(MODEL) $(CONFORMANCE) $(TOOLS) $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/unit/*.c tests/fuzz/*.c tests/fuzz/api/*.c))

# What the command needs and is not compiled, in its place beside it; folders, too, as one changes when a file goes.
PARTS := $(BUILD)/share/dloc/installed.txt
$(PARTS): tools/make/install.py $(shell find tools/__main__.py tools/suite tools/lab tools/lines tools/producers tools/pages tools/drop-in vectors $(SPECIFICATION) spec conformance/*.json \
    conformance/reports/run.schema.json conformance/llvm/*.txt -name __pycache__ -prune -o -print)
	$(call say,GEN,$(@D))BUILD=$(BUILD) python3 -B tools/make/install.py parts

$(BUILD)/dloc: $(TOOLS) $(CONFORMANCE) $(LIBRARIES) | $(PARTS)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(HARDENED_LINK) -pie $(LDFLAGS) -o $@ $^ -lyaml -liberty $(LIBS) $(OBJECTS_LIBS)

# tools/drop-in/compiler starts for each step of a build, so what it imports is kept compiled.
$(BUILD)/python/compiled: tools/drop-in/shared.py tools/drop-in/steps.py
	@mkdir -p $(@D)
	@! command -v python3 >/dev/null || PYTHONPYCACHEPREFIX=$(@D) python3 -m py_compile $^
	@touch $@

$(BUILD)/libdloc.a: $(MODEL)
$(BUILD)/libdloc-objects.a: $(OBJECTS)
%.a:
	@rm -f $@
	$(call say,AR,$@)$(AR) rcs $@ $^

# It needs functions of libdloc.so that no header offers (model/nodes/private.h): both are of one version.
$(BUILD)/libdloc.so: $(MODEL)
$(BUILD)/libdloc-objects.so: $(OBJECTS) $(BUILD)/libdloc.so
$(BUILD)/libdloc-objects.so: private LIBS += $(OBJECTS_LIBS)
# The libraries find all they need in each other; sanitizers and the choice of a mutant are in the program alone.
%.so:
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(HARDENED_LINK) $(LDFLAGS) -shared $(if $(findstring sanitize,$(ALL_CFLAGS))$(MUTANTS),,-Wl,-z,defs) \
	    -Wl,-soname,$(@F).$(SOVERSION) -o $@ $^ $(LIBS)

$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(TEST_SUPPORT) $(CONFORMANCE) $(LIBRARIES)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lcmocka -lyaml $(LIBS) $(OBJECTS_LIBS)

# Readers of a command's own.
$(BUILD)/fuzz/fuzz_samples $(BUILD)/replay/samples: $(BUILD)/obj/tools/lines/symbolize_perf.o $(BUILD)/obj/tools/lines/symbolize_address.o

# The generator of calls.
$(BUILD)/fuzz/fuzz_api $(BUILD)/replay/api: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard tests/fuzz/api/*.c))

$(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o $(FUZZ_SUPPORT) $(CONFORMANCE) $(LIBRARIES)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) -fsanitize=fuzzer $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBRARIES) -lyaml $(LIBS) $(OBJECTS_LIBS)

# A target that reads its corpus in threads, for valgrind and the thread sanitizer.
$(BUILD)/replay/%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(BUILD)/obj/tests/fuzz/replay.o $(FUZZ_SUPPORT) $(CONFORMANCE) $(LIBRARIES)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBRARIES) -lyaml $(LIBS) $(OBJECTS_LIBS)

$(TABLES): $(BUILD)/gen/made ;
$(BUILD)/gen/made: $(SPECIFICATION) tools/make/tables.py
	$(call say,GEN,$(@D))python3 tools/make/tables.py SPEC.md $(@D) && touch $@

$(HELP): $(BUILD)/gen/help/made ;
$(BUILD)/gen/help/made: $(HELP_TEXTS) tools/make/usage.py tools/make/tables.py
	$(call say,GEN,$(@D))tools/make/usage.py $(@D) && touch $@

define compile
@mkdir -p $(@D)
$(call say,CC,$<)$(CC) $(ALL_CFLAGS) $(INCLUDES) -DDLOC_VERSION='"$(VERSION)"' -MMD -MP -c -o $@ $<
endef

$(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(TABLES) $(HELP)
	$(compile)

# What makes a tool a fork server: loaded into that tool, so it has no sanitizer.
$(BUILD)/gen/preloaded.so: conformance/run/preloaded.c conformance/run/fork_server.h $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -std=c11 -O2 -fPIC -Wall -Wextra -Wpedantic -Werror -shared -o $@ $<

$(BUILD)/obj/conformance/run/fork_server.o: $(BUILD)/gen/preloaded.so
$(BUILD)/obj/conformance/run/fork_server.o: private INCLUDES += -DFORK_SERVER_LIBRARY='"$(BUILD)/gen/preloaded.so"'

# Names, clauses and texts of the mutants.
$(BUILD)/gen/mutants_table.h: tools/make/mutate.py model/mutants.def $(wildcard model/*.[ch] model/*/*.[ch] model/*/*/*.[ch])
	$(call say,GEN,$@)tools/make/mutate.py table $@

$(BUILD)/obj/conformance/vector/mutants.o: $(BUILD)/gen/mutants_table.h

# The words for each operation.
$(BUILD)/gen/operations.def: tools/make/operations.py tools/make/tables.py vectors/README.md conformance/ops/ops.def
	@mkdir -p $(@D)
	$(call say,GEN,$@)tools/make/operations.py $@

$(BUILD)/obj/conformance/reports/page.o: $(BUILD)/gen/operations.def

ifdef MUTANTS
MUTATED := $(patsubst %,$(BUILD)/%,$(shell find model -name '*.[ch]' -o -name '*.def'))

$(MUTATED) &: tools/make/mutate.py $(MUTATED:$(BUILD)/%=%) $(shell find model -type d)
	@rm -rf $(BUILD)/model
	$(call say,GEN,$(BUILD)/model)tools/make/mutate.py sources $(BUILD)/model

$(BUILD)/obj/model/%.o: INCLUDES := -I$(BUILD)/model -I$(BUILD)/gen
$(BUILD)/obj/model/%.o: $(BUILD)/model/%.c $(BUILD)/flags | $(TABLES)
	$(compile)
endif

# dloc and LLVM 22 in one process: tests/fuzz/differential.
$(BUILD)/fuzz-llvm: tests/fuzz/fuzz_llvm.cpp $(FUZZ_SUPPORT) $(CONFORMANCE) $(LIBRARIES)
	$(call say,CXX,$@)clang++ -O1 -g $$(llvm-config-22 --cxxflags) -fsanitize=fuzzer -Imodel -I$(BUILD)/gen -o $@ $^ -lyaml $(LIBS) $(OBJECTS_LIBS) \
	    $$(llvm-config-22 --ldflags --link-shared --libs core asmparser)

# Programs that time merging and the decoding of line tables inside a process: with libdloc, and with the libraries of
# Debian's llvm-22-dev, libdw-dev and libdwarf-dev.
BENCH_LLVM := /usr/lib/llvm-22/bin
BENCHES := $(addprefix $(BUILD)/bench/,merge merge-llvm stacks lines lines-llvm lines-libdw lines-libdwarf yaml-libyaml)

$(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(LIBRARIES)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) $(OBJECTS_LIBS)

$(BUILD)/bench/%-llvm: tests/bench/%_llvm.cpp tests/bench/pairs.h tests/bench/timing.h
	@mkdir -p $(@D)
	$(call say,CXX,$@)$(BENCH_LLVM)/clang++ -O2 $$($(BENCH_LLVM)/llvm-config --cxxflags) -o $@ $< \
	    $$($(BENCH_LLVM)/llvm-config --ldflags --link-shared --libs core asmparser debuginfodwarf)

$(BUILD)/bench/yaml-libyaml: tests/bench/yaml_libyaml.c
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -O2 -o $@ $< -lyaml

$(BUILD)/bench/lines-lib%: tests/bench/lines_lib%.c tests/bench/timing.h
	@mkdir -p $(@D)
	$(call say,CC,$@)$(CC) -O2 -o $@ $< -l$*

-include $(patsubst %.o,%.d,$(MODEL) $(OBJECTS) $(CONFORMANCE) $(TOOLS)) $(wildcard $(BUILD)/obj/tests/*/*.d $(BUILD)/obj/tests/*/*/*.d)

# Everything depends on this file; it changes when the compiler or its flags do.
FLAGS := $(CC) $(ALL_CFLAGS) $(HARDENED_LINK) $(LDFLAGS) $(VERSION)
ifneq ($(FLAGS),$(file <$(BUILD)/flags))
.PHONY: $(BUILD)/flags
endif
$(BUILD)/flags: export TEXT = $(FLAGS)
$(BUILD)/flags:
	@mkdir -p $(@D)
	@printf '#include <md5.h>\n#include <yaml.h>\n#include <elfutils/libdw.h>\n#include <libiberty/demangle.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 || \
	    { echo "make: $(CC), libyaml, libmd, libdw or libiberty is missing; 'make setup' installs them" >&2; exit 1; }
	@echo "$$TEXT" >$@

setup:  ## install what the build needs (Debian packages)
	.ci/setup build

check:  ## build, run the suites of the group `check`, print the budgets: about two minutes
	.ci/setup build check
	tests/run check
	@tools/make/count.py

check-long:  ## run the suites that take minutes, groups `long` and `whole`; SAMPLE=yes as CI does
	.ci/setup build check producers package bench debuggers
	tests/run long $(if $(SAMPLE),,whole)

families: all  ## generate all families of vectors again and compare their digests
	tests/run families

llvm-main:  ## fetch LLVM's main branch (24) from Debian's archive into build/llvm-main; nothing is installed
llvm-23:  ## fetch LLVM 23 from Debian's archive into build/llvm-23; nothing is installed
$(NEWER_LLVMS): llvm-%:
	.ci/setup newer-llvm
	conformance/llvm/fetch $* || [ $$? = 3 ]

conformance: $(addprefix llvm-,$(newer))  ## run the vectors against the model and LLVM='DIR...', main or 23; write build/report.html
	LLVM='$(wildcard $(llvm_directories))' .ci/setup build conformance
	@$(MAKE) --no-print-directory run-conformance

run-conformance: all
	@mkdir -p $(BUILD)/runs; status=0; \
	run() { echo "dloc run $$*"; $(BUILD)/dloc run "$$@" || status=$$?; }; \
	run --impl model --json -o $(BUILD)/runs/model.json vectors; \
	for llvm in $(llvm_directories); do \
	    case $$llvm in $(BUILD)/llvm-*) [ -x $$llvm/opt ] || { echo "skipped: there is no $$llvm" >&2; continue; } ;; esac; \
	    name=$$(printf %s "$${LABEL:-$$llvm}" | tr -c A-Za-z0-9.- _); \
	    run --impl llvm --llvm $$llvm $${LABEL:+--label "$$LABEL"} \
	        --json -o $(BUILD)/runs/llvm-$$name.json vectors; \
	done; \
	$(MAKE) --no-print-directory report; exit $$status

.PHONY: report
report: all  ## compare the last runs of `make conformance`: build/report.html, build/spec.html
	@set -- $(BUILD)/runs/model.json $$(ls $(BUILD)/runs/llvm-*.json 2>/dev/null); \
	[ -e $(BUILD)/runs/model.json ] || { echo "make report: there are no runs; 'make conformance' makes them" >&2; exit 2; }; \
	playground=$(if $(wildcard $(BUILD)/playground.html),--playground=playground.html); \
	$(BUILD)/dloc report --quiet --html $(BUILD)/report.html --spec spec.html $$playground "$$@" || [ $$? = 1 ] && \
	$(BUILD)/dloc spec --html $(BUILD)/spec.html --report report.html $$playground $$(printf -- '--run %s ' "$$@") && \
	echo "report: $(BUILD)/report.html"

pairwise: all  ## generate the pairwise families of vectors and run them against LLVM=DIR
	conformance/llvm/pairwise $(LLVM)

PATCHED := $(BUILD)/patched-llvm/bin
IRLAYERS := $(BUILD)/patched-irlayers/bin

patched-llvm: patched-tools  ## build two LLVM 22 with layers, build/patched-{llvm,irlayers}/bin; run their tests
	conformance/llvm/lit $(PATCHED)
	conformance/llvm/lit $(IRLAYERS)

patched-tools: $(BUILD)/dloc
	.ci/setup patched-llvm
	conformance/llvm/build tuple $(BUILD)/patched-llvm
	conformance/llvm/build irlayers $(BUILD)/patched-irlayers

results: patched-tools $(NEWER_LLVMS)  ## run all implementations against all vectors; write the summaries and the page of conformance/results
	.ci/setup build check
	conformance/results/results.py

confirm: patched-tools $(NEWER_LLVMS)  ## ask stock and patched LLVMs which expectations they confirm; write vectors/CONFIRMED
	.ci/setup build check
	conformance/llvm/confirm.py $(patsubst %,/usr/lib/llvm-%/bin,14 19 22) $$(ls -d $(NEWER_LLVMS:%=$(BUILD)/%/bin) 2>/dev/null) $(PATCHED) $(IRLAYERS)

faults: patched-tools  ## switch on each deliberate fault of the patched LLVMs: which vector notices?
	conformance/llvm/faults.py tuple $(PATCHED)
	conformance/llvm/faults.py irlayers $(IRLAYERS)

passes: patched-tools  ## ask the patched LLVMs for every pass that moves locations, and whether each test notices a pass that keeps the primary
	conformance/llvm/passes.py --table
	for llvm in $(PATCHED) $(IRLAYERS); do conformance/llvm/passes.py $$llvm && conformance/llvm/passes.py --faults $$llvm || exit 1; done

patch-coverage: $(BUILD)/dloc  ## build the patched LLVMs with coverage: which of their lines do vectors, tests and projection reach?
	.ci/setup patched-llvm coverage
	for form in tuple irlayers; do COVERAGE="-fprofile-instr-generate -fcoverage-mapping" OPTIMIZE=-O0 conformance/llvm/build $$form $(BUILD)/coverage-$$form && \
	    conformance/llvm/coverage.py $$form $(BUILD)/coverage-$$form || exit 1; done

projection: patched-tools  ## find the passes of the patched LLVMs that lose layers, over real modules
	conformance/llvm/projection.py $(PATCHED)
	conformance/llvm/projection-irlayers.py $(IRLAYERS)

line-tables: patched-tools  ## compare code and line tables of a real program with and without layers
	conformance/llvm/line-tables.py $(PATCHED)

demo: all  ## sample SQLite with two layers, compiled by a stock LLVM: build/demo/sqlite.html
	.ci/setup build check
	tools/demo.py

demo-mlir: all  ## sample a matmul of MLIR with its stages as layers: build/demo/matmul.html
	.ci/setup build check producers
	tools/demo.py --program matmul

gdb-picture: all  ## draw gdb in a layer, as README.md shows it: tools/lines/gdb.svg
	.ci/setup build check
	tools/make/terminal.py

zero-cost: patched-tools  ## compare the patched LLVMs with stock LLVM 22 on inputs without layers
	conformance/llvm/zero-cost.py $(PATCHED)
	DLOC_FAULT=inline.uniqued conformance/llvm/zero-cost.py $(IRLAYERS) 250

cost: patched-tools  ## measure what layers cost in bitcode, memory and time: build/cost.html
	conformance/llvm/cost.py
	conformance/llvm/cost-hidden.py

fingerprint: patched-tools  ## print which alternatives five stock and two patched LLVMs follow
	.ci/setup build check
	$(BUILD)/dloc run --impl llvm $(patsubst %,--llvm /usr/lib/llvm-%/bin,14 15 16 19 22) $(patsubst %,--llvm %,$(PATCHED) $(IRLAYERS)) \
	    --fingerprint --witnesses vectors

asan:  ## run the suites of the group `sanitized` under the address and UB sanitizers
	.ci/setup build check
	BUILD=build/asan CC=clang CFLAGS='-O1 -g $(SANITIZE)' tests/run sanitized

fuzz:  ## run each fuzz target FUZZ_SECONDS, then FUZZ_CHANGED changed seeds; print coverage
	.ci/setup build check
	$(MAKE) --no-print-directory BUILD=build/sanitized-fuzz CC=clang-14 \
	    CFLAGS='-O1 -g -fsanitize=fuzzer-no-link -fprofile-instr-generate -fcoverage-mapping $(SANITIZE)' fuzzers
	tests/fuzz/run build/sanitized-fuzz/fuzz $(FUZZ_SECONDS) $(FUZZ_SEED)
	tests/fuzz/substitute.py build/sanitized-fuzz/fuzz $(FUZZ_CHANGED)
	tests/fuzz/coverage.py build/sanitized-fuzz/fuzz

soak:  ## fuzz all targets for HOURS; go on where the last soak stopped, or merge those of other machines: FROM='FOLDER...'
	.ci/setup build check
	$(MAKE) --no-print-directory BUILD=build/soak CC=clang-14 CFLAGS='-O1 -g -fsanitize=fuzzer-no-link $(SANITIZE)' fuzzers
	tests/fuzz/soak build/soak/fuzz $(if $(FROM),merge $(FROM),'$(HOURS)')

mutants:  ## run the model with each deliberate mistake: do vectors and laws notice?
	.ci/setup build
	tests/mutants

-include playground/build.mk # which a source package lacks

builds: all  ## build real programs by clang and by tools/drop-in/clang; compare code, lines, layers and time
	.ci/setup build check builds
	tests/builds/run.py

producers: all  ## compile MLIR's tests, BLAS and LAPACK with layers; print what came of them
	.ci/setup producers
	tests/producers/many.py

browser:  ## look at the HTML pages, the playground among them, in headless Chromium
	.ci/setup build check playground browser
	tests/run browser playground

bench:  ## compare speed and memory with LLVM's
	.ci/setup build check bench
	@$(MAKE) --no-print-directory all $(BENCHES)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/unhardened HARDENED= HARDENED_LINK= $(BUILD)/unhardened/dloc
	tests/bench/bench.py --build $(BUILD)

complexity: all  ## measure how memory, output and time grow with the input, beside the exponents that they may have
	tests/bad-input/complexity.py

dist: all  ## write the release to build/dist: the vectors as an archive, an npm package, a wheel; inputs and dictionaries for fuzzing
	@tools/make/count.py --release
	DLOC=$(BUILD)/dloc tools/make/dist $(VERSION) $(BUILD)/dist
	tests/fuzz/release $(VERSION) $(BUILD)/dist

.PHONY: amalgamation
amalgamation: $(BUILD)/amalgamation/dloc.c  ## write the rules as one file, build/amalgamation/dloc.c, and dloc.h, for projects that compile them with their own sources

$(BUILD)/amalgamation/dloc.c: tools/make/amalgamate.py $(wildcard model/*.[ch] model/nodes/*.* model/verify/*.[ch]) $(TABLES)
	$(call say,GEN,$@)tools/make/amalgamate.py $(VERSION) $(BUILD)/gen $(@D)

# Manual pages and completion, from what the commands say about themselves.
$(BUILD)/help/dloc: $(BUILD)/dloc tools/make/help.py tools/make/tables.py $(SPECIFICATION) CHANGELOG.md
	$(call say,GEN,$(@D))python3 tools/make/help.py $(BUILD)/dloc $(VERSION) $(@D)

install: all $(BUILD)/help/dloc  ## install into PREFIX (/usr/local) and LIBDIR (PREFIX/lib), below DESTDIR
uninstall:  ## remove what install put there
install uninstall:
	@PREFIX="$$PREFIX_" LIBDIR="$$LIBDIR_" DESTDIR="$$DESTDIR_" BUILD=$(BUILD) VERSION=$(VERSION) SOVERSION=$(SOVERSION) LIBS='$(LIBS)' \
	    OBJECTS_LIBS='$(OBJECTS_LIBS)' tools/make/install.py $@
install uninstall: export PREFIX_ = $(PREFIX)
install uninstall: export LIBDIR_ = $(LIBDIR)
install uninstall: export DESTDIR_ = $(DESTDIR)

deb:  ## write the Debian packages to build/deb; lintian must be silent
	.ci/setup build package
	@tools/make/count.py --release
	tools/package/deb $(VERSION) $(BUILD)/deb

FORMATTED = $(shell find model conformance tools playground tests/unit tests/fuzz -name '*.[ch]')
format:  ## rewrite the C sources in the project's format
	clang-format-14 -i $(FORMATTED)

format-check:  ## say where the C sources are not in the project's format
	@files=$$(clang-format-14 --dry-run $(FORMATTED) 2>&1 | sed -n 's/:[0-9]*:[0-9]*: warning: .*//p' | sort -u); \
	for file in $$files; do echo "$$file is not in the project's format; run 'make format'" >&2; done; [ -z "$$files" ]

count:  ## print the lines of each ring of the program beside its budget
	@tools/make/count.py

clean:  ## remove what was built; downloads in build/cache stay
	[ ! -d $(BUILD) ] || find $(BUILD) -mindepth 1 -maxdepth 1 ! -name cache -exec rm -rf {} +

distclean:  ## remove everything that was built or downloaded
	rm -rf $(BUILD)

help:  ## print this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 16
