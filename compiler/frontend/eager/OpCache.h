//===- OpCache.h - ops that were built before -----------------------------===//
#ifndef TG_COMPILER_FRONTEND_EAGER_OPCACHE_H
#define TG_COMPILER_FRONTEND_EAGER_OPCACHE_H

#include "compiler/frontend/body/BodyImpl.h"
#include "dialects/tg/evaluation/OpEvaluation.h"

namespace tg::dsl {

/// An op on operands of certain types: verified once, evaluated as often as it
/// is built.
struct CachedOp {
  mlir::Operation *op = nullptr;
  /// Element types and shapes of the results, unless they follow from values.
  std::optional<
      llvm::SmallVector<std::pair<mlir::Type, llvm::SmallVector<int64_t>>>>
      results = {};
};

/// Ops by mnemonic, attributes and types of operands. Keeps so many at most, so
/// that a loop over ever other attributes takes no more memory.
class OpCache {
public:
  static constexpr size_t kMostOps = 4096;

  explicit OpCache(Body::Impl &impl);

  /// The op, which stays until the next call, or why it does not verify. The
  /// types of operands tell it apart, the line does not.
  Result<const CachedOp *> find(std::string_view op,
                                llvm::ArrayRef<HostTensor> operands,
                                std::span<const Attribute> attributes,
                                Place where);

private:
  std::optional<CachedOp> build(std::string_view op,
                                llvm::ArrayRef<HostTensor> operands,
                                std::span<const Attribute> attributes,
                                mlir::Location loc);
  void clear();

  Body::Impl &impl;
  /// The function that holds the ops; never run.
  mlir::func::FuncOp function;
  /// The operand that stands for a type at a place.
  llvm::DenseMap<std::pair<mlir::Type, unsigned>, mlir::Value> standIns;
  llvm::StringMap<CachedOp> ops;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_EAGER_OPCACHE_H
