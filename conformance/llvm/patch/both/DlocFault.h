//===- DlocFault.h - Deliberate faults of multi-level locations -*- C++ -*-===//
//
// Part of dloc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not for LLVM: the environment variable DLOC_FAULT names one fault, read once,
// so that a test suite can show that it notices. Each is a deviation of a line.
//
//===----------------------------------------------------------------------===//

#ifndef LLVM_IR_DLOCFAULT_H
#define LLVM_IR_DLOCFAULT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdlib>

namespace llvm {

enum class DlocFault {
  None,
#define FAULT(Identifier, Name) Identifier,
#include "llvm/IR/DlocFaults.def"
#undef FAULT
};

inline DlocFault selectedDlocFault() {
  const char *Selected = std::getenv("DLOC_FAULT");
  if (!Selected || !*Selected)
    return DlocFault::None;
#define FAULT(Identifier, Name)                                                \
  if (StringRef(Selected) == Name)                                             \
    return DlocFault::Identifier;
#include "llvm/IR/DlocFaults.def"
#undef FAULT
  report_fatal_error(Twine("DLOC_FAULT: no such fault: ") + Selected, false);
}

/// Whether the environment asks for this fault.
inline bool dlocFault(DlocFault Fault) {
  static const DlocFault Selected = selectedDlocFault();
  return Fault == Selected;
}

/// \p DL, or what is left without layers if the environment asks for this fault.
template <class Location>
Location dlocFaulty(DlocFault Fault, const Location &DL) {
  return dlocFault(Fault) ? Location(DL.get()) : DL;
}

} // end namespace llvm

#endif // LLVM_IR_DLOCFAULT_H
