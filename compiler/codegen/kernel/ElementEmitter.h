//===- ElementEmitter.h - elements of a kernel's values -------------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_ELEMENTEMITTER_H
#define TG_COMPILER_CODEGEN_KERNEL_ELEMENTEMITTER_H

#include "compiler/codegen/kernel/KernelContext.h"
#include "compiler/codegen/kernel/Loops.h"

namespace tg {

/// Emits elements of the values in a kernel's body where its context stands: by
/// the ops' element rules down to loads from arguments. The same element in
/// the same scope is computed once; what does not change from lane to lane is
/// computed once as a scalar, and outside of the loops that it does not
/// depend on.
class ElementEmitter {
public:
  explicit ElementEmitter(KernelContext &context) : context(context) {}

  /// The element at `position`, or the elements of all lanes as a vector.
  /// Fails with a diagnostic when an op has no element rule.
  llvm::FailureOr<mlir::Value>
  element(mlir::Value tensor, const Position &position, unsigned lanes);

  /// The same, where code must stand in any case: a zero after a failure,
  /// which `hasFailed` remembers.
  mlir::Value elementOrZero(mlir::Value tensor, const Position &position,
                            unsigned lanes);

  /// Gives the elements of a value that an emitter computes itself. `give` is
  /// called with the builder in the scope that uses the element and answers
  /// as `element` does; null sends it back to the ops' rules.
  using Provider =
      std::function<mlir::Value(const Position &position, unsigned lanes)>;
  void provide(mlir::Value tensor, Provider give);
  void withdraw(mlir::Value tensor) { providers.erase(tensor); }

  /// Nothing that may depend on a provided value moves out of this block.
  void setBarrier(mlir::Block *block) { barrier = block; }

  /// The lanes that are active while vectors are emitted, lane 0 always; null
  /// for all.
  mlir::Value mask;

  /// Returns true if an op gave no element; a diagnostic was emitted.
  bool hasFailed() const { return lacksRule; }

  /// Returns the offset in memory of the element of an argument or output at
  /// lane 0.
  mlir::Value offsetOf(mlir::Value tensor, const Position &position);
  /// The linear index of the element of `tensor` at lane 0, row-major.
  mlir::Value indexOf(mlir::Value tensor, const Position &position);
  /// Returns the growth of that offset from lane to lane.
  mlir::AffineExpr laneStrideOf(mlir::Value tensor, const Position &position);

  KernelContext &context;

private:
  friend class OpElement;
  struct Known {
    llvm::SmallVector<mlir::Value> index;
    llvm::SmallVector<int64_t> laneStep;
    unsigned lanes;
    mlir::Value mask, value;
  };

  using StrideOf = llvm::function_ref<mlir::AffineExpr(unsigned axis)>;
  mlir::Value sumOf(const Position &position, StrideOf strideOf);
  mlir::AffineExpr laneSumOf(const Position &position, StrideOf strideOf);
  mlir::Value emit(mlir::Value tensor, const Position &position,
                   unsigned lanes);
  mlir::Value compute(mlir::Value tensor, const Position &position,
                      unsigned lanes);
  mlir::Value load(mlir::BlockArgument tensor, const Position &position,
                   unsigned lanes);
  /// The elements of the active lanes that the mask `within` names, by a load
  /// that reads no others; null where the target or the value has none.
  mlir::Value loadWithin(mlir::Value tensor, const Position &position,
                         mlir::Value within, unsigned lanes);
  mlir::Value byLanes(mlir::Value tensor, const Position &position,
                      unsigned lanes);
  mlir::Value find(mlir::Value tensor, const Position &position,
                   unsigned lanes) const;
  void remember(mlir::Value tensor, const Position &position, unsigned lanes,
                mlir::Value value);
  /// Moves the builder out of loops that a uniform position does not need.
  void hoist(mlir::Value tensor, const Position &position);

  llvm::DenseMap<mlir::Value, llvm::SmallVector<Known>> known;
  llvm::DenseMap<mlir::Value, Provider> providers;
  mlir::Block *barrier = nullptr;
  bool lacksRule = false;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_ELEMENTEMITTER_H
