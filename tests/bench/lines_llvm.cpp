// usage: lines-llvm FILE ROUNDS: times DWARFContext::getLineTableForUnit of every unit.
#include "timing.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugLine.h>
#include <llvm/Object/ObjectFile.h>

int main(int argc, char **argv) {
  int rounds = timing_rounds(argc, argv);
  auto object = llvm::object::ObjectFile::createObjectFile(argv[1]);
  if (!object)
    timing_fail(argv[1], llvm::toString(object.takeError()).c_str());
  timing t = {};
  for (int i = 0; i < rounds; i++) {
    auto context = llvm::DWARFContext::create(*object->getBinary());
    context->getNumCompileUnits(); // parses the headers of units
    timing_start(&t);
    for (const auto &unit : context->compile_units())
      if (const auto *table = context->getLineTableForUnit(unit.get()))
        t.rows += table->Rows.size();
    timing_stop(&t);
  }
  timing_print(&t, rounds);
}
