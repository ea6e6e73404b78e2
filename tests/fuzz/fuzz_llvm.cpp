// fuzz_llvm.cpp - dloc beside LLVM 22 in one process: both accept a module, or both do not read it, or both reject it
// and LLVM's first message stands for a rule that dloc says is broken.
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include "dloc_formats.h"

extern "C" {
bool llvm_reasons(dloc_text message, bool *reasons);
size_t mutate_ll(uint8_t *data, size_t size, size_t most, unsigned seed);
}

namespace {

// UNTOLD: LLVM rejects the text for a reason that is no rule of debug locations.
enum outcome { OK, SOFT, HARD, PARSE, UNTOLD };
const char *const names[] = {"ok", "soft", "hard", "parse", "untold"};

struct answer {
  outcome what = OK;
  std::string message;
  bool reasons[DLOC_REASON_COUNT] = {}; // of dloc
  bool endless = false;
};

bool is_location(const dloc_context *context, dloc_node node) { return dloc_node_kind(context, node) == DLOC_KIND_LOCATION; }

dloc_node next_of(const dloc_context *context, dloc_node node) {
  return is_location(context, node) ? dloc_location_get(context, node).inlined_at : dloc_scope_parent(context, node);
}

// LLVM's verifier follows chains of call sites and of scopes without looking whether they end, or are what they should be (BUGS.md).
bool is_endless(const dloc_context *context) {
  uint32_t limit = dloc_node_limit(context);
  for (dloc_node node = 1; node < limit; node++) {
    uint32_t steps = 0;
    for (dloc_node at = node, next; (next = next_of(context, at)) != DLOC_NULL; at = next)
      if (++steps > limit || (is_location(context, at) && !is_location(context, next)))
        return true;
  }
  return false;
}

bool take(void *user, const dloc_violation *violation) {
  static const outcome outcomes[] = {SOFT, HARD, PARSE};
  auto *ret = static_cast<answer *>(user);
  if (ret->what == OK) {
    ret->what = outcomes[violation->severity];
    ret->message = dloc_reason_name(violation->reason);
  }
  ret->reasons[violation->reason] = true;
  return true;
}

answer ask_dloc(dloc_context *context, dloc_text text) {
  static const dloc_profile *const profile = dloc_profile_find(dloc_text_of("llvm-22"));
  answer ret;
  dloc_module *module = nullptr;
  dloc_diagnostic diagnostic;
  if (dloc_read_ll(context, text, &diagnostic, &module) != DLOC_OK) {
    ret.what = PARSE;
    ret.message = diagnostic.message;
    return ret;
  }
  dloc_verdict verdict;
  ret.endless = is_endless(context);
  (void)dloc_verify(module, profile, take, &ret, &verdict);
  dloc_module_destroy(module);
  return ret;
}

bool reasons_of(const std::string &message, bool *reasons) {
  std::string line = message.substr(0, message.find('\n'));
  return llvm_reasons({line.data(), line.size()}, reasons);
}

// Which fields a class has, and how often, is no rule of debug locations: dloc keeps what it does not know.
bool is_about_fields(const std::string &message) {
  return message.find("invalid field") == 0 || message.find("missing required field") == 0 ||
         message.find("cannot be specified more than once") != std::string::npos;
}

// Whether LLVM complains about a rule of dloc: behind the message stands the node, and dloc checks no variables, types and so on.
bool is_about_locations(const std::string &message) {
  static const char *const classes[] = {"!DILocation(",         "!DISubprogram(", "!DILexicalBlock(",
                                        "!DILexicalBlockFile(", "!DICompileUnit(", "!DIFile("};
  bool reasons[DLOC_REASON_COUNT] = {};
  size_t at = message.find('\n');
  std::string node = at == std::string::npos ? "" : message.substr(at + 1, message.find('\n', at + 1) - at - 1);
  bool known = node.find("!DI") == std::string::npos;
  for (const char *name : classes)
    known |= node.find(name) != std::string::npos;
  return known && reasons_of(message, reasons);
}

// As Module::getModuleFlag, which crashes on flags without a name.
bool has_version_3(const llvm::Module &module) {
  const llvm::NamedMDNode *flags = module.getModuleFlagsMetadata();
  for (unsigned i = 0; flags && i < flags->getNumOperands(); i++) {
    const llvm::MDNode *flag = flags->getOperand(i);
    auto *name = flag->getNumOperands() > 2 ? llvm::dyn_cast_or_null<llvm::MDString>(flag->getOperand(1)) : nullptr;
    if (!name || name->getString() != "Debug Info Version")
      continue;
    auto *version = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(flag->getOperand(2));
    return version && version->getZExtValue() == 3;
  }
  return false;
}

// As UpgradeDebugInfo does: debug info of another version goes, and what is broken goes.
answer verify(llvm::Module &module) {
  answer ret;
  llvm::raw_string_ostream out(ret.message);
  bool broken_debug_info = false;
  if (!has_version_3(module) && llvm::StripDebugInfo(module)) {
    ret.what = SOFT;
    ret.message = "ignoring debug info with an invalid version";
    return ret;
  }
  bool broken = llvm::verifyModule(module, &out, &broken_debug_info);
  ret.what = broken ? HARD : broken_debug_info ? SOFT : OK;
  if (ret.what != OK && !is_about_locations(ret.message))
    ret.what = UNTOLD;
  return ret;
}

answer ask_llvm(const std::string &text) {
  answer ret;
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssembly(llvm::MemoryBufferRef(text, "m"), diagnostic, context, nullptr,
                                    [](llvm::StringRef, llvm::StringRef) { return std::optional<std::string>(); });
  if (module)
    return verify(*module);
  ret.message = diagnostic.getMessage().str() + "\n" + diagnostic.getLineContents().str();
  ret.what = is_about_fields(ret.message) || !is_about_locations(ret.message) ? UNTOLD : PARSE;
  return ret;
}

// The first fault of a text that is not read may be another one. A module that is soft may be hard for what is no rule of debug locations.
bool agree(const answer &dloc, const answer &llvm) {
  bool reasons[DLOC_REASON_COUNT] = {};
  if (dloc.what == llvm.what && (dloc.what == OK || dloc.what == PARSE))
    return true;
  bool alike = dloc.what == llvm.what || (dloc.what == SOFT && llvm.what == HARD);
  if (!alike || !reasons_of(llvm.message, reasons))
    return false;
  for (int i = 0; i < DLOC_REASON_COUNT; i++)
    if (reasons[i] && dloc.reasons[i])
      return true;
  return false;
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return mutate_ll(data, size, most, seed);
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  const char *const words[] = {"fuzz_llvm", "-disable-auto-upgrade-debug-info"};
  return llvm::cl::ParseCommandLineOptions(2, words) ? 0 : 1;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static dloc_context *const context = dloc_context_create(nullptr);
  const std::string text(reinterpret_cast<const char *>(data), size);
  dloc_context_reset(context);
  const answer dloc = ask_dloc(context, {text.c_str(), text.size()});
  if (dloc.endless)
    return 0;
  const answer llvm = ask_llvm(text);
  if (llvm.what == UNTOLD || agree(dloc, llvm))
    return 0;
  std::fprintf(stderr, "dloc: %s %s; LLVM: %s %s\n", names[dloc.what], dloc.message.c_str(), names[llvm.what],
               llvm.message.substr(0, llvm.message.find('\n')).c_str());
  std::abort();
}
