//===- ElementRule.cpp - the element rule of an op, run on tensors --------===//
#include "compiler/reference/ElementRule.h"
#include "compiler/codegen/kernel/math/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace tg;

void tg::loadScalarDialects(MLIRContext *context) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect,
                       LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect,
                       tensor::TensorDialect, vector::VectorDialect>();
}

std::unique_ptr<LaneProgram> tg::compileScalars(Operation *function) {
  RewritePatternSet patterns(function->getContext());
  populateExpandMathPatterns(patterns);
  walkAndApplyPatterns(function, std::move(patterns));
  return std::make_unique<LaneProgram>(function->getRegion(0).front());
}

namespace tg {

/// Builds the code of one element in a function. Its arguments are the operands
/// as tensors, and the position.
class RuleBuilder : public ElementBuilder {
public:
  RuleBuilder(OpBuilder &builder, Operation *op, Block &body, ElementRule &rule,
              ArrayRef<HostTensor> operands, ArrayRef<HostTensor> results)
      : ElementBuilder(builder, op->getLoc(), /*lanes=*/1), body(body),
        rule(rule), operands(operands), results(results) {
    for (const HostTensor &operand : operands)
      body.addArgument(
          RankedTensorType::get(operand.getShape(),
                                computeType(operand.getElementType())),
          loc);
    for (int64_t axis = 0; axis < results[0].getRank(); ++axis) {
      position.index.push_back(body.addArgument(builder.getI64Type(), loc));
      position.laneStep.push_back(0);
    }
  }

  Value operand(unsigned index, const Position &at) override {
    SmallVector<Value> indices;
    for (Value number : at.index)
      indices.push_back(arith::IndexCastOp::create(
          builder, loc, builder.getIndexType(), number));
    return tensor::ExtractOp::create(builder, loc, body.getArgument(index),
                                     indices);
  }
  Value operandExtent(unsigned index, unsigned axis) override {
    return integers().constant(operands[index].getShape()[axis]);
  }
  Value resultExtent(unsigned index, unsigned axis) override {
    return integers().constant(results[index].getShape()[axis]);
  }
  Value scalar(unsigned operand) override { return addNumber(operand, {}); }
  Value expression(AffineExpr expression) override {
    return addNumber(std::nullopt, expression);
  }
  void require(Value, const Position &, Value, function_ref<Value()>) override {
    // The reference checks operands before it runs the rule.
  }
  Value operandWithin(unsigned, const Position &, unsigned, Value,
                      Value) override {
    return {};
  }

  /// The position of the element in the results.
  Position position;

private:
  Value addNumber(std::optional<unsigned> operand, AffineExpr expression) {
    rule.numbers.push_back({body.getNumArguments(), operand, expression});
    return body.addArgument(builder.getI64Type(), loc);
  }

  Block &body;
  ElementRule &rule;
  ArrayRef<HostTensor> operands, results;
};

} // namespace tg

ElementRule::ElementRule(ElementOpInterface op, ArrayRef<HostTensor> operands,
                         ArrayRef<HostTensor> results) {
  OpBuilder builder(op.getContext());
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      builder, op.getLoc(), "element", builder.getFunctionType({}, {}));
  Block &body = function->getBody().emplaceBlock();
  builder.setInsertionPointToStart(&body);
  RuleBuilder element(builder, op, body, *this, operands, results);
  SmallVector<Value> values = op.buildElements(element, element.position);
  func::ReturnOp::create(builder, op.getLoc(), values);
  program = compileScalars(*function);
}

/// Fills the arguments from `first` on with the positions of the elements
/// from `element` on.
static void fillPositions(LaneProgram &program, unsigned first,
                          ArrayRef<int64_t> shape, int64_t element,
                          int64_t count) {
  SmallVector<int64_t> position = unflatten(element, shape);
  SmallVector<int64_t *> lanes;
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    lanes.push_back(program.argument<int64_t>(first + axis));
  for (int64_t lane = 0; lane < count; ++lane) {
    for (auto [target, index] : llvm::zip_equal(lanes, position))
      target[lane] = index;
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (++position[axis] < shape[axis])
        break;
      position[axis] = 0;
    }
  }
}

std::string ElementRule::run(ArrayRef<HostTensor> operands,
                             MutableArrayRef<HostTensor> results,
                             function_ref<int64_t(AffineExpr)> valueOf) const {
  if (!program->getError().empty())
    return program->getError();
  for (auto [index, operand] : llvm::enumerate(operands))
    program->setTensor(index, operand);
  for (const Number &number : numbers) {
    int64_t value = number.operand ? operands[*number.operand].integerAt(0)
                                   : valueOf(number.expression);
    std::fill_n(program->argument<int64_t>(number.argument),
                LaneProgram::kLanes, value);
  }
  ArrayRef<int64_t> shape = results[0].getShape();
  int64_t total = results[0].getNumElements();
  for (int64_t first = 0; first < total; first += LaneProgram::kLanes) {
    int64_t count = std::min(LaneProgram::kLanes, total - first);
    fillPositions(*program, operands.size(), shape, first, count);
    program->run(count);
    for (auto [index, result] : llvm::enumerate(results)) {
      size_t bytes = elementBytes(result.getElementType());
      std::memcpy(result.data() + first * bytes, program->result<char>(index),
                  count * bytes);
    }
  }
  return {};
}
