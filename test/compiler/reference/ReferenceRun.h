//===- ReferenceRun.h - runs functions given as text ----------------------===//
#ifndef TG_TEST_COMPILER_REFERENCE_REFERENCERUN_H
#define TG_TEST_COMPILER_REFERENCE_REFERENCERUN_H

#include "compiler/reference/Reference.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <optional>

namespace tg::test {

/// A module after phase `numerics`, and the reference that runs it.
class ReferenceRun {
public:
  /// Compiles the text, which must be valid.
  explicit ReferenceRun(const std::string &text);

  /// Runs function @f. Returns its results, or none and sets `error`.
  llvm::SmallVector<HostTensor> run(llvm::ArrayRef<HostTensor> inputs);

  /// Returns a tensor of elements that are given, or that depend on `seed`:
  /// numbers in [-1, 1).
  template <typename T>
  HostTensor tensor(llvm::ArrayRef<int64_t> shape, std::vector<T> elements);
  template <typename T>
  HostTensor random(llvm::ArrayRef<int64_t> shape, uint64_t seed);

  mlir::MLIRContext context;
  std::optional<Reference> reference;
  std::string error;

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tg::test

#endif // TG_TEST_COMPILER_REFERENCE_REFERENCERUN_H
