//===- OpScalarTest.cpp - emitted elements against evaluation -------------===//
#include "dialects/tg/Tg.h"
#include "dialects/tg/elements/ElementBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/FoldUtils.h"
#include "test/dialects/tg/OpHarness.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {

/// Builds a constant of the register type from a rank-0 tensor.
Value buildConstant(OpBuilder &builder, Location loc,
                    const HostTensor &scalar) {
  Attribute value = *scalar.toAttribute().value_begin<Attribute>();
  Type type = computeType(scalar.getElementType());
  auto typed =
      isa<FloatType>(type)
          ? cast<TypedAttr>(value)
          : IntegerAttr::get(type, cast<IntegerAttr>(value).getValue());
  return arith::ConstantOp::create(builder, loc, typed);
}

/// Returns the constant that the emitted element folds to; null if an op does
/// not fold.
Attribute foldElement(ElementwiseOpInterface op,
                      const std::vector<HostTensor> &operands) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  SmallVector<Value> registers;
  for (const HostTensor &operand : operands)
    registers.push_back(buildConstant(builder, op->getLoc(), operand));
  Value result = op.buildScalar(builder, op->getLoc(), registers);
  OperationFolder folder(&context());
  for (Operation &emitted :
       llvm::make_early_inc_range(module->getBody()->getOperations())) {
    bool isResult = result.getDefiningOp() == &emitted;
    if (emitted.hasTrait<mlir::OpTrait::ConstantLike>())
      continue;
    SmallVector<OpFoldResult> folded;
    SmallVector<Attribute> known;
    for (Value operand : emitted.getOperands()) {
      Attribute value;
      if (!matchPattern(operand, m_Constant(&value)))
        return {};
      known.push_back(value);
    }
    if (failed(emitted.fold(known, folded)) || folded.empty())
      return {};
    OpBuilder before(&emitted);
    Value replacement = dyn_cast<Value>(folded[0]);
    if (!replacement)
      replacement = arith::ConstantOp::create(
          before, emitted.getLoc(),
          cast<TypedAttr>(cast<Attribute>(folded[0])));
    emitted.getResult(0).replaceAllUsesWith(replacement);
    if (isResult)
      result = replacement;
  }
  Attribute value;
  return matchPattern(result, m_Constant(&value)) ? value : Attribute();
}

/// Returns the number of a folded element; `elementType` is the element type of
/// the tensor.
double numberOf(Attribute value, Type elementType) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValueAsDouble();
  APInt number = cast<IntegerAttr>(value).getValue();
  bool isUnsigned = elementType.isUnsignedInteger() || elementType.isInteger(1);
  return isUnsigned ? double(number.getZExtValue())
                    : double(number.getSExtValue());
}

/// Returns true if the numbers have equal bits, or differ relatively by at most
/// `relative`; all NaNs are equal.
bool isClose(double a, double b, double relative) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (a == b)
    return std::signbit(a) == std::signbit(b);
  return std::abs(a - b) <= relative * std::abs(b);
}

/// Returns the sample values of an element type.
std::vector<double> samplesOf(const std::string &type) {
  if (type == "i1")
    return {0, 1};
  if (type == "ui8")
    return {1, 2, 7, 128, 200, 255};
  if (type == "i8")
    return {1, -1, 7, -7, 127, -128};
  if (type == "i16")
    return {1, -1, 7, -7, 300, 32767, -32768};
  if (type == "i32")
    return {1, -1, 7, -7, 2147483647.0, -2147483648.0};
  if (type == "i64")
    return {1, -1, 7, -7, 0x1p53, -0x1p63};
  return {0.0,  -0.0, 0.5,   -0.75,    1,         -2.5,         3.5,   88.5,
          -103, 3e9,  -3e10, INFINITY, -INFINITY, std::nan(""), 1e-20, 255.5};
}

/// Emits the op for every combination of samples and compares the folded result
/// with `evaluate`.
void check(const OpCase &op, double relative) {
  OwningOpRef<ModuleOp> module = parseValue(op);
  ASSERT_TRUE(module);
  Operation *parsed =
      &module->lookupSymbol<func::FuncOp>("value").front().front();
  std::vector<std::vector<HostTensor>> combinations = {{}};
  for (const std::string &type : op.operands) {
    std::vector<std::vector<HostTensor>> longer;
    for (const auto &combination : combinations)
      for (double sample : samplesOf(type)) {
        longer.push_back(combination);
        longer.back().push_back(makeTensor(type, {sample}));
      }
    combinations = std::move(longer);
  }
  size_t compared = 0;
  for (const auto &operands : combinations) {
    HostTensor expected = makeTensor(op.result, {0});
    ASSERT_EQ(cast<EvaluableOpInterface>(parsed).evaluate(operands, expected),
              "");
    std::string where = op.name;
    for (const HostTensor &operand : operands)
      where += " " + std::to_string(operand.numberAt(0));
    Attribute found =
        foldElement(cast<ElementwiseOpInterface>(parsed), operands);
    // The folders of the math dialect do not fold the edges of some domains.
    if (!found && relative > 0)
      continue;
    ++compared;
    ASSERT_TRUE(found) << where << " does not fold";
    double number = numberOf(found, expected.getElementType());
    EXPECT_TRUE(isClose(number, expected.numberAt(0), relative))
        << where << ": " << number << ", evaluated " << expected.numberAt(0);
  }
  EXPECT_GE(compared, combinations.size() / 2) << op.name;
}

/// Emits the op on vectors of four elements and verifies the result.
void checkVectors(const OpCase &op) {
  OwningOpRef<ModuleOp> module = parseValue(op);
  auto function = module->lookupSymbol<func::FuncOp>("value");
  auto element = cast<ElementwiseOpInterface>(function.front().front());
  OpBuilder builder(module->getBodyRegion());
  auto vectorOf = [](Type tensor) -> Type {
    Type scalar = cast<RankedTensorType>(tensor).getElementType();
    return VectorType::get({4}, computeType(scalar));
  };
  SmallVector<Type> types =
      llvm::map_to_vector(function.getArgumentTypes(), vectorOf);
  Type result = vectorOf(function.getResultTypes()[0]);
  auto vectors = func::FuncOp::create(builder, module->getLoc(), "vectors",
                                      builder.getFunctionType(types, result));
  builder.setInsertionPointToStart(vectors.addEntryBlock());
  Value value =
      element.buildScalar(builder, module->getLoc(), vectors.getArguments());
  EXPECT_EQ(value.getType(), result) << op.name;
  bool hasPolynomial = llvm::any_of(vectors.front(), [](Operation &part) {
    return isa<math::ExpOp, math::ExpM1Op, math::LogOp, math::Log1pOp,
               math::SinOp, math::CosOp, math::AtanOp, math::TanhOp,
               math::ErfOp, math::PowFOp>(part);
  });
  EXPECT_EQ(element.isTranscendental(), hasPolynomial) << op.name;
  func::ReturnOp::create(builder, module->getLoc(), value);
  EXPECT_TRUE(succeeded(verify(*module))) << op.name;
}

void checkBoth(const OpCase &op, double relative = 0) {
  check(op, relative);
  checkVectors(op);
}

OpCase unary(const std::string &op, const std::string &type) {
  return {op + "_" + type,
          {type},
          "%y = tg." + op + " %a : tensor<" + type + ">",
          type};
}

OpCase binary(const std::string &op, const std::string &type,
              const std::string &prefix = "", std::string result = "") {
  std::string t = "tensor<" + type + ">";
  result = result.empty() ? type : result;
  return {op + prefix + "_" + type,
          {type, type},
          "%y = tg." + op + " " + prefix + "%a, %b : (" + t + ", " + t +
              ") -> tensor<" + result + ">",
          result};
}

/// Returns the names of the element types of a class.
std::vector<std::string> typesOf(ElementClass elements) {
  std::vector<std::string> names;
  for (const ElementTypeInfo &row : kElementTypes) {
    ElementType element = ElementType(&row - kElementTypes);
    if (isInClass(mlirTypeOf(element, &context()), elements))
      names.push_back(row.name);
  }
  return names;
}

const std::vector<std::string> kFloats = typesOf(ElementClass::floating);
const std::vector<std::string> kNumbers = typesOf(ElementClass::numeric);
const std::vector<std::string> kLogical = typesOf(ElementClass::logical);

TEST(OpScalarTest, UnaryExact) {
  for (const std::string &type : kNumbers)
    for (const char *op : {"abs", "neg", "sign", "relu"})
      checkBoth(unary(op, type));
  for (const std::string &type : kFloats)
    for (const char *op : {"floor", "round"})
      checkBoth(unary(op, type));
  for (const std::string &type : kLogical)
    checkBoth(unary("not", type));
}

TEST(OpScalarTest, Functions) {
  for (const std::string &type : kFloats) {
    double ulp = type == "f32" ? 0x1p-23 : 0x1p-52;
    for (const char *op : {"exp", "expm1", "log", "log1p", "sqrt", "sin", "cos",
                           "atan", "tanh", "sigmoid", "erf"})
      checkBoth(unary(op, type), 4 * ulp);
    checkBoth(binary("pow", type), 4 * ulp);
  }
}

TEST(OpScalarTest, BinaryExact) {
  for (const std::string &type : kNumbers)
    for (const char *op :
         {"add", "sub", "mul", "div", "remainder", "maximum", "minimum"})
      checkBoth(binary(op, type));
  for (const std::string &type : kLogical)
    for (const char *op : {"and", "or", "xor"})
      checkBoth(binary(op, type));
}

TEST(OpScalarTest, Compare) {
  for (const char *predicate : {"eq, ", "ne, ", "lt, ", "le, ", "gt, ", "ge, "})
    for (const std::string &type : kNumbers)
      checkBoth(binary("compare", type, predicate, "i1"));
  checkBoth(binary("compare", "i1", "eq, ", "i1"));
}

TEST(OpScalarTest, Select) {
  checkBoth({"select",
             {"i1", "f32", "f32"},
             "%y = tg.select %a, %b, %c : (tensor<i1>, tensor<f32>, "
             "tensor<f32>) -> tensor<f32>",
             "f32"});
}

TEST(OpScalarTest, Cast) {
  for (const std::string &from : typesOf(ElementClass::any))
    for (const std::string &to : typesOf(ElementClass::any)) {
      // The folder of arith.truncf does not fold inexact results.
      bool isNarrowing = from == "f64" && to == "f32";
      checkBoth({"cast_" + from + "_" + to,
                 {from},
                 "%y = tg.cast %a {element_type = " + to + "} : (tensor<" +
                     from + ">) -> tensor<" + to + ">",
                 to},
                isNarrowing ? 0x1p-60 : 0);
    }
}

} // namespace
