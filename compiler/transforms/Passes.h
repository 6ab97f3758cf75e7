//===- Passes.h - the passes over tg and tgx ------------------------------===//
#ifndef TG_COMPILER_TRANSFORMS_PASSES_H
#define TG_COMPILER_TRANSFORMS_PASSES_H

#include "dialects/tgx/Alignment.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>

namespace tg {

#define GEN_PASS_DECL
#include "compiler/transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "compiler/transforms/Passes.h.inc"

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_PASSES_H
