//===- OpCache.h - a cache of verified ops --------------------------------===//
#ifndef TG_COMPILER_FRONTEND_EAGER_OPCACHE_H
#define TG_COMPILER_FRONTEND_EAGER_OPCACHE_H

#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/reference/OpReference.h"
#include "dialects/tg/evaluation/OpEvaluation.h"

namespace tg::dsl {

/// An op for certain operand types. It is verified once and then evaluated each
/// time the same op is built.
struct CachedOp {
  mlir::Operation *op = nullptr;
  /// The element types and shapes of the results, unless they depend on values.
  std::optional<
      llvm::SmallVector<std::pair<mlir::Type, llvm::SmallVector<int64_t>>>>
      results = {};
  /// Evaluates the op in exact mode. Made by the first evaluation.
  std::unique_ptr<OpReference> reference = nullptr;
};

/// A cache of ops by mnemonic, attributes and operand types. The number of
/// entries is limited, so that a loop with new attributes in each iteration
/// uses bounded memory.
class OpCache {
public:
  static constexpr size_t kMaxOps = 4096;

  explicit OpCache(Body::Impl &impl);

  /// Returns the op, which is valid until the next call, or an error if it does
  /// not verify. The key includes the operand types, but not the source
  /// location.
  Result<CachedOp *> find(std::string_view op,
                          llvm::ArrayRef<HostTensor> operands,
                          std::span<const Attribute> attributes, Place where);

private:
  std::optional<CachedOp> build(std::string_view op,
                                llvm::ArrayRef<HostTensor> operands,
                                std::span<const Attribute> attributes,
                                mlir::Location loc);
  void clear();

  Body::Impl &impl;
  /// The function that contains the ops. It is never run.
  mlir::func::FuncOp function;
  /// The block arguments that stand for operands, by type and operand number.
  llvm::DenseMap<std::pair<mlir::Type, unsigned>, mlir::Value> standIns;
  llvm::StringMap<CachedOp> ops;
};

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_EAGER_OPCACHE_H
