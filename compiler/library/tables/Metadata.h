//===- Metadata.h - what a library says about itself ----------------------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_METADATA_H
#define TG_COMPILER_LIBRARY_TABLES_METADATA_H

#include "compiler/library/Library.h"
#include "compiler/library/plan/ModelPlan.h"
#include "llvm/Support/JSON.h"

namespace tg {

/// A number, or the expression over the named symbols as text.
llvm::json::Value describeNumber(mlir::AffineExpr number,
                                 tgx::FunctionOp function);

/// Compiler, flags, signature and costs: tg_model_t.metadata.
llvm::json::Object describe(const ModelPlan &plan,
                            const LibraryOptions &options);

/// tg_model_t.model_id: equal ids compute equal functions.
std::array<uint8_t, 16> modelId(const ModelPlan &plan,
                                const LibraryOptions &options);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_METADATA_H
