//===- ElementEmitter.h - elements of the values of a kernel --------------===//
#ifndef TG_COMPILER_CODEGEN_KERNEL_ELEMENTEMITTER_H
#define TG_COMPILER_CODEGEN_KERNEL_ELEMENTEMITTER_H

#include "compiler/codegen/kernel/KernelContext.h"
#include "compiler/codegen/kernel/Loops.h"

namespace tg {

/// Emits elements of the values in a kernel's body at the insertion point of
/// the kernel's context. Applies the element rules of the ops recursively down
/// to loads from arguments. Computes each element once per scope, computes
/// values that are equal in all lanes once as scalars, and hoists values out of
/// the loops that they do not depend on.
class ElementEmitter {
public:
  explicit ElementEmitter(KernelContext &context) : context(context) {}

  /// Returns the element at `position` if `lanes` is 1, otherwise a vector with
  /// the elements of all lanes. Fails with a diagnostic if an op has no element
  /// rule.
  llvm::FailureOr<mlir::Value>
  element(mlir::Value tensor, const Position &position, unsigned lanes);

  /// Same as `element`, for callers that need a value in any case. Returns zero
  /// after a failure, and `hasFailed` returns true from then on.
  mlir::Value elementOrZero(mlir::Value tensor, const Position &position,
                            unsigned lanes);

  /// Emits an element in place of the op's element rule. It is called with the
  /// insertion point in the scope that uses the element, and returns a value
  /// like `element` does, or null if the element rule applies.
  using Provider =
      std::function<mlir::Value(const Position &position, unsigned lanes)>;
  /// Sets and removes the provider of the elements of `tensor`.
  void provide(mlir::Value tensor, Provider provider);
  void withdraw(mlir::Value tensor) { providers.erase(tensor); }

  /// Sets the element at `position`. Uses in the blocks where `value` is
  /// visible take it.
  void remember(mlir::Value tensor, const Position &position, unsigned lanes,
                mlir::Value value);

  /// Prevents values that may depend on a provided value from being hoisted out
  /// of `block`.
  void setBarrier(mlir::Block *block) { barrier = block; }

  /// The mask of active lanes for vectors that are emitted now. Lane 0 is
  /// always active. Null if all lanes are active.
  mlir::Value mask;

  /// Returns true if an op failed to produce an element; a diagnostic was
  /// emitted.
  bool hasFailed() const { return lacksRule; }

  /// Returns the memory offset, in elements, of lane 0 of an argument or
  /// output.
  mlir::Value offsetOf(mlir::Value tensor, const Position &position);
  /// Returns the row-major linear index of lane 0 in `tensor`.
  mlir::Value indexOf(mlir::Value tensor, const Position &position);
  /// Returns the increment of `indexOf` from one lane to the next.
  mlir::AffineExpr laneStrideOf(mlir::Value tensor, const Position &position);

  KernelContext &context;

private:
  friend class OpElement;
  /// An element that has been emitted.
  struct CachedElement {
    llvm::SmallVector<mlir::Value> index;
    llvm::SmallVector<int64_t> laneStep;
    unsigned lanes;
    mlir::Value mask, value;
  };

  using StrideOf = llvm::function_ref<mlir::AffineExpr(unsigned axis)>;
  /// Returns the sum of index times stride over all axes, and the increment of
  /// this sum from one lane to the next.
  mlir::Value linearize(const Position &position, StrideOf strideOf);
  mlir::AffineExpr linearizeLaneStep(const Position &position,
                                     StrideOf strideOf);
  mlir::Value emit(mlir::Value tensor, const Position &position,
                   unsigned lanes);
  mlir::Value compute(mlir::Value tensor, const Position &position,
                      unsigned lanes);
  mlir::Value load(mlir::BlockArgument tensor, const Position &position,
                   unsigned lanes);
  /// Loads the lanes that are active in `within` by a masked load that reads no
  /// other elements. Returns null if the target has no such load, or if
  /// `tensor` is not a contiguous argument.
  mlir::Value loadWithin(mlir::Value tensor, const Position &position,
                         mlir::Value within, unsigned lanes);
  /// Emits each lane as a scalar and assembles the vector.
  mlir::Value emitLaneByLane(mlir::Value tensor, const Position &position,
                             unsigned lanes);
  mlir::Value find(mlir::Value tensor, const Position &position,
                   unsigned lanes) const;
  /// Moves the builder out of the loops that a uniform position does not depend
  /// on.
  void hoist(mlir::Value tensor, const Position &position);

  llvm::DenseMap<mlir::Value, llvm::SmallVector<CachedElement>> cachedElements;
  llvm::DenseMap<mlir::Value, Provider> providers;
  mlir::Block *barrier = nullptr;
  bool lacksRule = false;
};

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_ELEMENTEMITTER_H
