//===- Metadata.h - the JSON text inside a library ------------------------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_METADATA_H
#define TG_COMPILER_LIBRARY_TABLES_METADATA_H

#include "compiler/library/Library.h"
#include "compiler/library/plan/ModelPlan.h"
#include "llvm/Support/JSON.h"

namespace tg {

/// Returns a number, or the text of an expression over the named symbols.
llvm::json::Value describeNumber(mlir::AffineExpr number,
                                 tgx::FunctionOp function);

/// Returns tg_model_t.metadata: compiler, flags, signatures and costs.
llvm::json::Object describe(const ModelPlan &plan,
                            const LibraryOptions &options);

/// Returns tg_model_t.model_id. Models with equal ids compute equal functions.
std::array<uint8_t, 16> modelId(const ModelPlan &plan,
                                const LibraryOptions &options);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_METADATA_H
