//===- HostEvaluation.h - host functions on the compiler's tensors --------===//
#ifndef TG_TOOLS_TGC_HOSTEVALUATION_H
#define TG_TOOLS_TGC_HOSTEVALUATION_H

#include "dialects/tg/evaluation/Interpreter.h"
#include "tg/abi.h"

namespace tg {

/// Wraps a function of a table so that it is called as libraries call it, with
/// dense arrays aligned to 64 bytes. The result reports an error if the
/// function fails, throws or writes outside of a result. The table must outlive
/// the result.
HostFunction adaptHostFunction(const tg_host_function_t &function);

} // namespace tg

#endif // TG_TOOLS_TGC_HOSTEVALUATION_H
