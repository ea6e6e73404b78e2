// usage: locations MODULE QUESTION [LOCATION...]
//
// Asks LLVM's own functions about locations, within a process; see witness_locations.py. MODULE names each location by a named node of one operand; `-` is no location.
// merge: the merge of any number; node: are two one node?; same: are they one source location?; print: as a pass prints it; primary: of an instruction whose location is set from another one's;
// N: with its duplication multiplied by N. Prints the name of a location (a node without a name as `?`), true or false, or the text.
#include <cstdlib>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <memory>
#include <vector>

using namespace llvm;

[[noreturn]] static void fail(const Twine &why) {
  errs() << why << "\n";
  exit(2);
}

static DILocation *named(const Module &module, StringRef name) {
  if (name == "-")
    return nullptr;
  const NamedMDNode *node = module.getNamedMetadata(name);
  auto *location = node ? dyn_cast<DILocation>(node->getOperand(0)) : nullptr;
  if (!location)
    fail("no location " + name);
  return location;
}

static StringRef name_of(const Module &module, const DILocation *location) {
  if (!location)
    return "-";
  for (const NamedMDNode &node : module.named_metadata())
    if (node.getNumOperands() == 1 && node.getOperand(0) == location)
      return node.getName();
  return "?";
}

static DILocation *primary(LLVMContext &context, DILocation *location) {
  std::unique_ptr<Instruction, ValueDeleter> from(new UnreachableInst(context)), to(new UnreachableInst(context));
  from->setDebugLoc(DebugLoc(location));
  to->setDebugLoc(from->getDebugLoc());
  return to->getDebugLoc().get();
}

int main(int count, char **words) {
  if (count < 3)
    fail("usage: locations MODULE QUESTION [LOCATION...]");
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseIRFile(words[1], error, context);
  if (!module)
    fail(error.getMessage());
  StringRef question = words[2];
  std::vector<DILocation *> locations;
  for (int at = 3; at < count; at++)
    locations.push_back(named(*module, words[at]));
  unsigned factor = 0;
  if (question == "merge") {
    outs() << name_of(*module, DILocation::getMergedLocations(locations)) << "\n";
  } else if (question == "node" && locations.size() == 2) {
    outs() << (locations[0] == locations[1] ? "true\n" : "false\n");
  } else if (question == "same" && locations.size() == 2) {
    outs() << (DebugLoc(locations[0]).isSameSourceLocation(DebugLoc(locations[1])) ? "true\n" : "false\n");
  } else if (question == "print" && locations.size() == 1) {
    DebugLoc(locations[0]).print(outs());
    outs() << "\n";
  } else if (question == "primary" && locations.size() == 1) {
    outs() << name_of(*module, primary(context, locations[0])) << "\n";
  } else if (!question.getAsInteger(10, factor) && locations.size() == 1 && locations[0]) {
    outs() << name_of(*module, locations[0]->cloneByMultiplyingDuplicationFactor(factor).value_or(nullptr)) << "\n";
  } else {
    fail("unknown question " + question);
  }
}
