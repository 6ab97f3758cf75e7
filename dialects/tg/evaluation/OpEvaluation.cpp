//===- OpEvaluation.cpp - the values of one op ----------------------------===//
#include "dialects/tg/evaluation/OpEvaluation.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tg;

namespace {

/// The shape inference of one run. Its extents and sizes are the actual ones of
/// the operands, as constants.
class RunInference : public ShapeInference {
public:
  RunInference(Operation *op, ArrayRef<HostTensor> operands)
      : ShapeInference(op->getContext(), op->getName().getStringRef(),
                       op->getLoc()),
        op(op), operands(operands) {}

  SmallVector<AffineExpr> extentsOf(Value value) override {
    return llvm::map_to_vector(tensorOf(value).getShape(), [&](int64_t extent) {
      return constant(extent);
    });
  }

  AffineExpr sizeOf(Value value) override {
    readsElements = true;
    return constant(tensorOf(value).integerAt(0));
  }

  AffineExpr countTrue(Value value) override {
    readsElements = true;
    return constant(llvm::count(tensorOf(value).values<uint8_t>(), 1));
  }

  AffineExpr restrict(AffineExpr extent, int64_t upperBound, const Twine &what,
                      StringRef label) override {
    require(extent, ExtentRelation::atMost, constant(upperBound), what, label);
    return extent;
  }

  void require(AffineExpr found, ExtentRelation relation, AffineExpr expected,
               const Twine &what, StringRef label) override {
    if (!holds(relation, *staticExtent(found), *staticExtent(expected)))
      recordError(what + " to be " + boundPhrase(relation) +
                  printExtent(expected) + ", found " + printExtent(found) +
                  " [" + label + "]");
  }

  AffineExpr forget(AffineExpr extent) override { return extent; }

  /// The requirement that failed; empty if all requirements hold.
  std::string error;
  /// True if the rule read elements of an operand, not only its extents.
  bool readsElements = false;

private:
  /// Returns the tensor of an operand. Rules query only operands.
  const HostTensor &tensorOf(Value value) const {
    return operands[llvm::find(op->getOperands(), value).getIndex()];
  }

  void recordError(const Twine &message) {
    if (error.empty())
      error = ("expected " + message + " [R0]").str();
  }

  Operation *op;
  ArrayRef<HostTensor> operands;
};

} // namespace

std::string tg::inferRunExtents(Operation *op, ArrayRef<HostTensor> operands,
                                RunExtents &extents) {
  RunInference inference(op, operands);
  std::string message;
  ScopedDiagnosticHandler handler(op->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    message = diagnostic.str();
                                    return success();
                                  });
  auto shaped = cast<ExtentsOpInterface>(op);
  if (failed(shaped.inferExtents(inference, extents.results)))
    return message;
  extents.isStatic = !inference.readsElements;
  return inference.error;
}

std::string tg::evaluateOp(EvaluableOpInterface op,
                           ArrayRef<HostTensor> operands,
                           SmallVectorImpl<HostTensor> &results) {
  RunExtents extents;
  std::string error = inferRunExtents(op, operands, extents);
  if (!error.empty())
    return error;
  for (const TensorExtents &result : extents.results)
    results.emplace_back(result.elementType, result.getType().getShape());
  return op.evaluate(operands, results);
}
