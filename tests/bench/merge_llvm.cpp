// usage: merge_llvm FILE.ll PAIRS SEED
//
// Times LLVM's DILocation::getMergedLocation on the pairs that merge.c takes, and sums up the results alike.
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include "pairs.h"

#include <utility>
#include <vector>

using namespace llvm;

static uint64_t weight(const DILocation *location) {
  uint32_t frames = 0;
  for (const DILocation *at = location; at && at->getInlinedAt(); at = at->getInlinedAt())
    frames++;
  return location ? bench_weight(location->getLine(), location->getColumn(), frames) : bench_weight(0, 0, 0);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: merge_llvm FILE.ll PAIRS SEED\n");
    return 2;
  }
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyFile(argv[1], diagnostic, context);
  if (!module) {
    diagnostic.print("merge_llvm", errs());
    return 1;
  }
  std::vector<DILocation *> locations;
  std::vector<uint32_t> begins, ends;
  for (const Function &function : *module) {
    size_t begin = locations.size();
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block)
        if (DILocation *location = instruction.getDebugLoc())
          locations.push_back(location);
    begins.resize(locations.size(), begin);
    ends.resize(locations.size(), locations.size());
  }
  size_t count = strtoul(argv[2], nullptr, 10);
  uint64_t state = strtoul(argv[3], nullptr, 10);
  std::vector<std::pair<DILocation *, DILocation *>> pairs;
  for (size_t i = 0; i < count; i++) {
    bench_pair pair = bench_pick(&state, begins.data(), ends.data(), locations.size());
    pairs.emplace_back(locations[pair.first], locations[pair.second]);
  }
  std::vector<const DILocation *> results(count);
  double start = bench_seconds();
  for (size_t i = 0; i < count; i++)
    results[i] = DILocation::getMergedLocation(pairs[i].first, pairs[i].second);
  double seconds = bench_seconds() - start;
  uint64_t sum = 0;
  for (const DILocation *result : results)
    sum += weight(result);
  bench_print(locations.size(), seconds, sum);
  return 0;
}
