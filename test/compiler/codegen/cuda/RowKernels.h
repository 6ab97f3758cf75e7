//===- RowKernels.h - the kernels of rows of the numeric table ------------===//
#ifndef TG_TEST_COMPILER_CODEGEN_CUDA_ROWKERNELS_H
#define TG_TEST_COMPILER_CODEGEN_CUDA_ROWKERNELS_H

#include "dialects/tgx/Tgx.h"
#include "test/numeric/OpTable.h"

namespace tg::test {

/// A row of the table, for one float type.
struct RowCase {
  size_t row;
  const char *floatType;

  const OpRow &get() const { return getOpTable()[row]; }
  /// Returns the name of the row and the type.
  std::string getName() const { return get().name + "_" + floatType; }
};

void PrintTo(const RowCase &each, std::ostream *stream);

/// Returns all rows for both float types, those without floats once.
std::vector<RowCase> listRowCases();

/// Compile a model, or a row, to the scheduled module of the plan for CUDA, in
/// `context`. Return null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> scheduleText(llvm::StringRef model,
                                               mlir::MLIRContext &context);
mlir::OwningOpRef<mlir::ModuleOp> scheduleRow(const RowCase &each,
                                              mlir::MLIRContext &context);

} // namespace tg::test

#endif // TG_TEST_COMPILER_CODEGEN_CUDA_ROWKERNELS_H
