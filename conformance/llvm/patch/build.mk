# Compiles SOURCES (paths below DIR/source) and the tools, and links them AHEAD of the static libraries in LLVM_PREFIX: an object that
# defines what a library's member defines keeps that member out. Run by conformance/llvm/build.
OBJECTS := $(SOURCES:llvm/%.cpp=$(DIR)/obj/%.o)
TOOLS := $(addprefix $(DIR)/bin/,opt llc llvm-as llvm-dis)
LIBRARIES := $(filter-out -lLLVMOptDriver -lPolly%,$(shell $(LLVM_PREFIX)/bin/llvm-config --link-static --libs))
SYSTEM := $(shell $(LLVM_PREFIX)/bin/llvm-config --link-static --system-libs)

CXX := $(LLVM_PREFIX)/bin/clang++
# CI sets -O1, which compiles in three quarters of the time; `make cost` compares what -O2 makes.
OPTIMIZE ?= -O2
# `make patch-coverage` sets COVERAGE: what is compiled here counts which of its lines run.
COVERAGE ?=
# As Debian compiles LLVM: the objects have to fit the libraries.
CXXFLAGS := -std=c++17 $(OPTIMIZE) -DNDEBUG -D_GNU_SOURCE -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS -fno-exceptions \
    -funwind-tables -fPIC -fvisibility-inlines-hidden -ffunction-sections -fdata-sections -Wall -Wno-unused-function -Wno-deprecated-declarations $(COVERAGE)
# The patched headers first, then the installed ones for what is generated.
INCLUDES := -I$(DIR)/overlay -I$(DIR)/source/llvm/include -isystem $(LLVM_PREFIX)/include

all: $(TOOLS)
.DELETE_ON_ERROR:
.PRECIOUS: $(DIR)/obj/%.o

main = $(patsubst $(DIR)/source/llvm/%.cpp,$(DIR)/obj/%.o,$(wildcard $(DIR)/source/llvm/tools/$(1)/*.cpp))
.SECONDEXPANSION:
$(TOOLS): $(DIR)/bin/%: $$(call main,$$*) $(OBJECTS)
	@mkdir -p $(@D)
	@echo "patched-llvm: linking $*"
	@$(CXX) $(COVERAGE) -fuse-ld=lld -Wl,--gc-sections -Wl,--strip-all -o $@ $^ -L$(LLVM_PREFIX)/lib $(LIBRARIES) $(SYSTEM)

$(DIR)/obj/%.o: $(DIR)/source/llvm/%.cpp
	@mkdir -p $(@D)
	@echo "patched-llvm: $*.cpp"
	@$(CXX) $(CXXFLAGS) -I$(<D) $(INCLUDES) -MMD -MP -c -o $@ $<

-include $(shell find $(DIR)/obj -name '*.d' 2>/dev/null)
