//===- ExactEvaluation.cpp - the bits of one op, for passes ---------------===//
#include "dialects/tg/evaluation/ExactEvaluation.h"

using namespace mlir;
using namespace tg;

/// Returns true if the op's own evaluation has the bits of compiled code: no
/// result is a float, or each element is one operation of IEEE 754 or a copy.
static bool isExact(EvaluableOpInterface op) {
  if (llvm::none_of(op->getResultTypes(), [](Type type) {
        return isa<FloatType>(getElementTypeOrSelf(type));
      }))
    return true;
  auto elementwise = dyn_cast<ElementwiseOpInterface>(op.getOperation());
  return isa<ViewOpInterface>(op.getOperation()) ||
         (elementwise && !elementwise.isTranscendental());
}

std::string tg::evaluateExactly(EvaluableOpInterface op,
                                ArrayRef<HostTensor> operands,
                                MutableArrayRef<HostTensor> results) {
  if (isExact(op))
    return op.evaluate(operands, results);
  auto *dialect = op->getContext()->getLoadedDialect<TgDialect>();
  const auto *exact = dialect->getRegisteredInterface<ExactEvaluation>();
  return exact ? exact->evaluate(op, operands, results)
               : "expected an exact evaluation, found none";
}
