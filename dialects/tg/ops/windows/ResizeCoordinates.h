//===- ResizeCoordinates.h - source coordinates of resized positions ------===//
#ifndef TG_DIALECTS_TG_OPS_WINDOWS_RESIZECOORDINATES_H
#define TG_DIALECTS_TG_OPS_WINDOWS_RESIZECOORDINATES_H

#include "dialects/tg/elements/ElementBuilder.h"
#include "dialects/tg/ops/windows/WindowElements.h"

namespace tg {

/// The elements from which one result position is computed on an axis.
struct Neighbours {
  int64_t lower, upper;
  double upperWeight;
};

/// The source coordinates along an axis, computed by the compiler. Position p
/// has the coordinate (scale * p + offset) / divisor, rounded down for
/// "nearest".
struct HostCoordinates {
  HostCoordinates(llvm::StringRef mode, llvm::StringRef coordinates,
                  int64_t from, int64_t to);
  Neighbours find(int64_t position) const;

  bool isLinear;
  int64_t from, scale, offset, divisor;
};

/// The elements from which one result position is computed on an axis, at run
/// time. `rest` / divisor is the weight of `upper`.
struct NeighbourValues {
  mlir::Value lower, upper, rest;
};

/// The source coordinates along an axis, computed at run time.
class Coordinates {
public:
  Coordinates(ElementBuilder &element, llvm::StringRef mode,
              llvm::StringRef coordinates, mlir::Value from, mlir::Value to);

  NeighbourValues find(mlir::Value position);
  /// Returns the result positions that use the element with this index.
  Span positionsOf(mlir::Value index);
  /// Builds the weight `rest` / divisor.
  mlir::Value weight(mlir::Value rest, mlir::Type elementType);

private:
  /// Returns the first position whose coordinate times the divisor is at least
  /// `minimum`.
  mlir::Value firstReaching(mlir::Value minimum);
  int64_t maxPositions() const;
  mlir::Value isAtLeast(mlir::Value lhs, mlir::Value rhs) {
    return ops.compare(mlir::arith::CmpIPredicate::sge, lhs, rhs);
  }
  mlir::Value choose(mlir::Value condition, mlir::Value a, mlir::Value b) {
    return element.builder.createOrFold<mlir::arith::SelectOp>(element.loc,
                                                               condition, a, b);
  }

  ElementBuilder &element;
  IntegerOps ops;
  bool isLinear;
  mlir::Value from, to, last, scale, offset, divisor;
};

} // namespace tg

#endif // TG_DIALECTS_TG_OPS_WINDOWS_RESIZECOORDINATES_H
