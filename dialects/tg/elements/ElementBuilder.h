//===- ElementBuilder.h - the emitter as element rules use it -------------===//
#ifndef TG_DIALECTS_TG_ELEMENTS_ELEMENTBUILDER_H
#define TG_DIALECTS_TG_ELEMENTS_ELEMENTBUILDER_H

#include "dialects/tg/elements/ElementTypes.h"
#include "dialects/tg/elements/IntegerOps.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tg {

/// A position in a tensor: one i64 value per dimension, for lane 0, and its
/// increment from lane to lane (0 everywhere when scalars are emitted).
struct Position {
  llvm::SmallVector<mlir::Value> index;
  llvm::SmallVector<int64_t> laneStep;

  unsigned rank() const { return index.size(); }
  /// Returns true if all lanes are at one position.
  bool isUniform() const {
    return llvm::all_of(laneStep, [](int64_t step) { return step == 0; });
  }
};

/// The emitter, through the interface that the element rules of ops use.
class ElementBuilder {
public:
  ElementBuilder(mlir::OpBuilder &builder, mlir::Location loc, unsigned lanes)
      : builder(builder), loc(loc), laneCount(lanes) {}
  virtual ~ElementBuilder() = default;

  /// Returns the length of the vectors of elements; 1 for scalars.
  unsigned lanes() const { return laneCount; }

  /// Returns the element(s) of an operand of the op whose rule runs, or null if
  /// there is no vector form. Integers are signless.
  virtual mlir::Value operand(unsigned index, const Position &position) = 0;

  /// Return the extent of an operand or of the result of the op, as an i64.
  virtual mlir::Value operandExtent(unsigned index, unsigned axis) = 0;
  virtual mlir::Value resultExtent(unsigned index, unsigned axis) = 0;

  /// Returns the value of a rank-0 i64 operand, as an i64.
  virtual mlir::Value scalar(unsigned operand) = 0;

  /// Returns the value of an expression over the kernel's symbols, as an i64.
  virtual mlir::Value expression(mlir::AffineExpr expression) = 0;

  /// Fails the run after the launch unless `condition` (i1, or a vector of
  /// them) holds: reports the linear index of the element at `position` and, if
  /// not null, its `value` (an i64, or a vector of them). `findPredicate`
  /// builds, in the code that handles a bad element, the index of the op's
  /// predicate that the element violates: an integer, or a vector of them.
  /// Without it, the index is 0.
  virtual void
  require(mlir::Value condition, const Position &position,
          mlir::Value value = {},
          llvm::function_ref<mlir::Value()> findPredicate = {}) = 0;

  /// Returns `inside()` if the scalar i1 `condition` is true, else `otherwise`.
  /// Unless `alwaysReadable`, `inside` runs only under the condition, because
  /// its tensor may have no element to read. Returns null if `inside` returns
  /// null.
  virtual mlir::Value pick(mlir::Value condition, bool alwaysReadable,
                           llvm::function_ref<mlir::Value()> inside,
                           mlir::Value otherwise);

  /// Returns the elements of an operand, for lanes that are neighbours along
  /// the axis. Lanes whose index on the axis is not in [0, extent) get the lane
  /// of the vector `otherwise`. Returns null if there is no vector form.
  virtual mlir::Value operandWithin(unsigned index, const Position &position,
                                    unsigned axis, mlir::Value extent,
                                    mlir::Value otherwise) = 0;

  /// Returns the builder of arithmetic on indices and extents.
  IntegerOps integers() { return IntegerOps(builder, loc); }
  /// Returns the i64 index of every lane on one axis: a scalar, or a vector.
  mlir::Value laneIndex(const Position &position, unsigned axis);
  /// Returns `value` in all lanes.
  mlir::Value splat(mlir::Value value);
  /// Returns the type of elements of `elementType` in a register: signless, and
  /// a vector if there are several lanes.
  mlir::Type elementType(mlir::Type elementType) const;

  mlir::OpBuilder &builder;
  mlir::Location loc;

protected:
  unsigned laneCount;
};

} // namespace tg

#endif // TG_DIALECTS_TG_ELEMENTS_ELEMENTBUILDER_H
