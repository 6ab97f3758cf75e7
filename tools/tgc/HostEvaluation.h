//===- HostEvaluation.h - functions of a library on the compiler's tensors ===//
#ifndef TG_TOOLS_TGC_HOSTEVALUATION_H
#define TG_TOOLS_TGC_HOSTEVALUATION_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "tg/abi.h"

namespace tg {

/// A function of a table, called as libraries call it: dense arrays aligned to
/// 64 bytes. Where it fails, throws or writes beyond a result, the error says
/// so. The table outlives what is given.
HostFunction adaptHostFunction(const tg_host_function_t &function);

} // namespace tg

#endif // TG_TOOLS_TGC_HOSTEVALUATION_H
