//===- Tgx.cpp - the tgx dialect: how to run it ---------------------------===//
#include "dialects/tgx/Tgx.h"
#include "dialects/tg/ControlOps.h"
#include "dialects/tg/Elementwise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tgx;

#include "dialects/tgx/TgxDialect.cpp.inc"
#include "dialects/tgx/TgxEnums.cpp.inc"

/// A map of symbols without the word affine_map: [s0] -> (s0 * 4). Nothing for
/// the map of nothing to nothing.
static ParseResult parseSymbolMap(OpAsmParser &parser, AffineMapAttr &map) {
  SmallVector<std::pair<StringRef, AffineExpr>> symbols;
  SmallVector<AffineExpr> values;
  Builder &builder = parser.getBuilder();
  auto addSymbol = [&]() -> ParseResult {
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    symbols.push_back({name, builder.getAffineSymbolExpr(symbols.size())});
    return success();
  };
  auto addValue = [&] {
    return parser.parseAffineExpr(symbols, values.emplace_back());
  };
  if (succeeded(parser.parseOptionalLSquare())) {
    bool isEmpty = succeeded(parser.parseOptionalRSquare());
    if (!isEmpty &&
        (parser.parseCommaSeparatedList(addSymbol) || parser.parseRSquare()))
      return failure();
    if (parser.parseArrow() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, addValue))
      return failure();
  }
  map = AffineMapAttr::get(
      AffineMap::get(0, symbols.size(), values, parser.getContext()));
  return success();
}

static void printSymbolMap(OpAsmPrinter &printer, Operation *,
                           AffineMapAttr map) {
  AffineMap value = map.getValue();
  if (value.getNumSymbols() == 0 && value.getNumResults() == 0)
    return;
  printer << " [";
  llvm::interleaveComma(llvm::seq(value.getNumSymbols()), printer,
                        [&](unsigned number) { printer << 's' << number; });
  printer << "] -> (";
  llvm::interleaveComma(value.getResults(), printer);
  printer << ')';
}

/// Input types, which there may be none of, `into` output types.
static ParseResult parseLaunchTypes(OpAsmParser &parser,
                                    SmallVectorImpl<Type> &inputs,
                                    SmallVectorImpl<Type> &outputs) {
  if (failed(parser.parseOptionalKeyword("into")) &&
      (parser.parseTypeList(inputs) || parser.parseKeyword("into")))
    return failure();
  return parser.parseTypeList(outputs);
}

static void printLaunchTypes(OpAsmPrinter &printer, Operation *,
                             TypeRange inputs, TypeRange outputs) {
  llvm::interleaveComma(inputs, printer);
  printer << (inputs.empty() ? "into " : " into ");
  llvm::interleaveComma(outputs, printer);
}

#define GET_ATTRDEF_CLASSES
#include "dialects/tgx/TgxAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/tgx/TgxOps.cpp.inc"

void TgxDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/tgx/TgxOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/tgx/TgxAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// kernel
//===----------------------------------------------------------------------===//

OperandRange KernelOp::getOutputs() {
  return cast<YieldOp>(getBlock().getTerminator()).getValues();
}

LogicalResult KernelOp::verify() {
  unsigned count = getBlock().getNumArguments();
  if (getArgumentExtents().size() != count ||
      getArgumentSizes().size() != count)
    return emitOpError() << "expected extents and numbers of " << count
                         << " arguments";
  for (auto [argument, map] :
       llvm::zip_equal(getBlock().getArguments(),
                       getArgumentExtents().getAsRange<AffineMapAttr>())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || map.getValue().getNumResults() != type.getRank() ||
        map.getValue().getNumSymbols() != getSymbolCount())
      return emitOpError() << "expected the extents of argument "
                           << argument.getArgNumber()
                           << " to fit its type and the symbols, found " << map;
  }
  if (!isa<YieldOp>(getBlock().getTerminator()))
    return emitOpError() << "expected the body to end in tgx.yield";
  return success();
}

LogicalResult KernelOp::analyzeExtents(tg::ExtentAnalysis &analysis) {
  for (auto [argument, extents, number] :
       llvm::zip_equal(getBlock().getArguments(),
                       getArgumentExtents().getAsRange<AffineMapAttr>(),
                       getArgumentSizes())) {
    analysis.setExtents(argument, extents.getValue().getResults());
    if (auto map = dyn_cast<AffineMapAttr>(number))
      analysis.setSize(argument, map.getValue().getResult(0));
  }
  return analysis.run(getBlock(), getSymbolCount());
}

bool KernelOp::mayOverwrite(BlockArgument argument, Value output,
                            const tg::ExtentAnalysis &analysis) {
  // The others pass values on, which would be read after they were written.
  if (getStrategy() != Strategy::loop && getStrategy() != Strategy::contraction)
    return false;
  return analysis.extentsOf(argument) == analysis.extentsOf(output) &&
         llvm::all_of(argument.getUsers(), [&](Operation *user) {
           return tg::isElementwise(user) &&
                  analysis.extentsOf(user->getResult(0)) ==
                      analysis.extentsOf(argument);
         });
}

//===----------------------------------------------------------------------===//
// call, launch
//===----------------------------------------------------------------------===//

/// The kernel that `user` names, with as many arguments, outputs and symbols.
static LogicalResult verifyKernelUse(Operation *user, FlatSymbolRefAttr name,
                                     unsigned inputs, unsigned outputs,
                                     AffineMap extents,
                                     SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(user, name);
  if (!kernel)
    return user->emitOpError() << "expected " << name << " to name a kernel";
  if (kernel.getBlock().getNumArguments() != inputs ||
      kernel.getOutputs().size() != outputs ||
      kernel.getSymbolCount() != extents.getNumResults())
    return user->emitOpError()
           << "expected inputs, outputs and extents to fit kernel " << name;
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyKernelUse(*this, getKernelAttr(), getInputs().size(),
                         getOutputs().size(), getExtents(), symbols);
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyKernelUse(*this, getKernelAttr(), getInputs().size(),
                         getOutputs().size(), getExtents(), symbols);
}

LogicalResult
CallOp::inferExtents(tg::ShapeInference &inference,
                     SmallVectorImpl<tg::TensorExtents> &results) {
  auto kernel =
      SymbolTable::lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  tg::ExtentAnalysis analysis(getContext());
  if (!kernel || failed(kernel.analyzeExtents(analysis)))
    return failure();
  for (Value output : kernel.getOutputs()) {
    tg::TensorExtents extents{getElementTypeOrSelf(output), {}};
    for (AffineExpr extent : analysis.extentsOf(output))
      extents.dims.push_back(extent.replaceSymbols(getExtents().getResults()));
    results.push_back(extents);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// check_index, check_divisor
//===----------------------------------------------------------------------===//

/// The one operand that passes through keeps its extents.
static LogicalResult passExtents(Value value, tg::ShapeInference &inference,
                                 SmallVectorImpl<tg::TensorExtents> &results) {
  results.push_back({getElementTypeOrSelf(value), inference.extentsOf(value)});
  return success();
}

LogicalResult
CheckIndexOp::inferExtents(tg::ShapeInference &inference,
                           SmallVectorImpl<tg::TensorExtents> &results) {
  return passExtents(getIndices(), inference, results);
}

std::optional<AffineExpr> CheckIndexOp::getIndexBound() {
  return getBound().getResult(0);
}

Value CheckIndexOp::buildElement(tg::ElementBuilder &element,
                                 const tg::Position &position) {
  Value index = element.operand(0, position);
  if (!index)
    return {};
  OpBuilder &builder = element.builder;
  Location loc = getLoc();
  // As unsigned numbers, negative indices are large.
  Value wide = index;
  Type wideType = element.elementType(builder.getI64Type());
  Type elementType = getElementTypeOrSelf(getIndices());
  if (wide.getType() != wideType)
    wide = elementType.isUnsignedInteger()
               ? Value(arith::ExtUIOp::create(builder, loc, wideType, wide))
               : Value(arith::ExtSIOp::create(builder, loc, wideType, wide));
  Value bound = element.splat(element.expression(getBound().getResult(0)));
  Value good = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                     wide, bound);
  element.require(good, position);
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(index.getType()));
  return arith::SelectOp::create(builder, loc, good, index, zero);
}

LogicalResult
CheckDivisorOp::inferExtents(tg::ShapeInference &inference,
                             SmallVectorImpl<tg::TensorExtents> &results) {
  return passExtents(getInput(), inference, results);
}

Value CheckDivisorOp::buildElement(tg::ElementBuilder &element,
                                   const tg::Position &position) {
  Value divisor = element.operand(0, position);
  if (!divisor)
    return {};
  OpBuilder &builder = element.builder;
  Value zero = arith::ConstantOp::create(
      builder, getLoc(), builder.getZeroAttr(divisor.getType()));
  Value good = arith::CmpIOp::create(builder, getLoc(),
                                     arith::CmpIPredicate::ne, divisor, zero);
  element.require(good, position);
  TypedAttr oneAttr = builder.getOneAttr(divisor.getType());
  Value one = arith::ConstantOp::create(builder, getLoc(), oneAttr);
  return arith::SelectOp::create(builder, getLoc(), good, divisor, one);
}

//===----------------------------------------------------------------------===//
// pack, unpack
//===----------------------------------------------------------------------===//

RankedTensorType PanelsAttr::getPackedType(RankedTensorType matrix) const {
  int64_t columns = matrix.getDimSize(getAxis());
  int64_t depth = matrix.getDimSize(1 - getAxis());
  int64_t panels = llvm::divideCeil(columns, getWidth());
  return RankedTensorType::get({panels, depth, getWidth()},
                               matrix.getElementType());
}

/// That `panels` are those of `matrix`.
static LogicalResult verifyPanels(Operation *op, PanelsAttr layout,
                                  RankedTensorType matrix,
                                  RankedTensorType panels) {
  if (layout.getAxis() > 1 || layout.getWidth() < 1)
    return op->emitOpError() << "expected columns along axis 0 or 1 and a "
                                "width of at least 1, found "
                             << layout;
  if (matrix.getRank() != 2 || !matrix.hasStaticShape())
    return op->emitOpError()
           << "expected a matrix of static extents, found " << matrix;
  RankedTensorType expected = layout.getPackedType(matrix);
  if (panels != expected)
    return op->emitOpError()
           << "expected panels of type " << expected << ", found " << panels;
  return success();
}

LogicalResult PackOp::verify() {
  return verifyPanels(*this, getLayout(), getInput().getType(),
                      getResult().getType());
}

LogicalResult UnpackOp::verify() {
  return verifyPanels(*this, getLayout(), getResult().getType(),
                      getInput().getType());
}

LogicalResult
UnpackOp::inferExtents(tg::ShapeInference &inference,
                       SmallVectorImpl<tg::TensorExtents> &results) {
  tg::TensorExtents result{getResult().getType().getElementType(), {}};
  for (int64_t extent : getResult().getType().getShape())
    result.dims.push_back(inference.constant(extent));
  results.push_back(result);
  return success();
}

//===----------------------------------------------------------------------===//
// number
//===----------------------------------------------------------------------===//

LogicalResult
SizeOp::inferExtents(tg::ShapeInference &inference,
                     SmallVectorImpl<tg::TensorExtents> &results) {
  results.push_back({getResult().getType().getElementType(), {}});
  return success();
}

AffineExpr SizeOp::inferSize(tg::ShapeInference &inference) {
  return getValue().getResult(0);
}

Value SizeOp::buildElement(tg::ElementBuilder &element,
                           const tg::Position &position) {
  return element.splat(element.expression(getValue().getResult(0)));
}

//===----------------------------------------------------------------------===//
// materialize
//===----------------------------------------------------------------------===//

LogicalResult
MaterializeOp::inferExtents(tg::ShapeInference &inference,
                            SmallVectorImpl<tg::TensorExtents> &results) {
  return passExtents(getInput(), inference, results);
}

Value MaterializeOp::buildElement(tg::ElementBuilder &element,
                                  const tg::Position &position) {
  return element.operand(0, position);
}
