//===- Elementwise.h - what all elementwise ops share ---------------------===//
#ifndef TG_DIALECTS_TG_ELEMENTWISE_H
#define TG_DIALECTS_TG_ELEMENTWISE_H

#include "dialects/tg/ElementBuilder.h"
#include "mlir/IR/Operation.h"

namespace tg {

/// The position in an operand of the given extents that broadcasting pairs
/// with `position` of the result.
Position broadcastPosition(ElementBuilder &element, const Position &position,
                           mlir::ArrayRef<int64_t> operandShape);

/// The element rule of all elementwise ops: `buildScalar` of the operands'
/// elements at the same position, broadcasting aside.
mlir::Value buildElementwiseElement(mlir::Operation *op,
                                    ElementBuilder &element,
                                    const Position &position);

} // namespace tg

#endif // TG_DIALECTS_TG_ELEMENTWISE_H
