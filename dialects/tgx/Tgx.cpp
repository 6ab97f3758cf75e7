//===- Tgx.cpp - the tgx dialect: how to run it ---------------------------===//
#include "dialects/tgx/Tgx.h"
#include "dialects/tgx/kernels/TrueElements.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tgx;

#include "dialects/tgx/TgxAttrInterfaces.cpp.inc"
#include "dialects/tgx/TgxDialect.cpp.inc"
#include "dialects/tgx/TgxEnums.cpp.inc"
#include "dialects/tgx/TgxInterfaces.cpp.inc"

/// Parses a map of symbols without the word affine_map: [s0] -> (s0 * 4). An
/// absent map is the empty map.
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
                        [&](unsigned index) { printer << 's' << index; });
  printer << "] -> (";
  llvm::interleaveComma(value.getResults(), printer);
  printer << ')';
}

/// Parses input types, which may be empty, `into`, and output types.
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

/// Parses input types, `into`, and output types, which may be empty: ().
static ParseResult parseHostTypes(OpAsmParser &parser,
                                  SmallVectorImpl<Type> &inputs,
                                  SmallVectorImpl<Type> &outputs) {
  if (failed(parser.parseOptionalKeyword("into")) &&
      (parser.parseTypeList(inputs) || parser.parseKeyword("into")))
    return failure();
  if (succeeded(parser.parseOptionalLParen()))
    return parser.parseRParen();
  return parser.parseTypeList(outputs);
}

static void printHostTypes(OpAsmPrinter &printer, Operation *op,
                           TypeRange inputs, TypeRange outputs) {
  printLaunchTypes(printer, op, inputs, outputs);
  if (outputs.empty())
    printer << "()";
}

#define GET_ATTRDEF_CLASSES
#include "dialects/tgx/TgxAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/tgx/TgxOps.cpp.inc"

LogicalResult TgxDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  if (attribute.getName() != kTargetAttr ||
      (isa<ModuleOp>(op) && isa<TargetAttr>(attribute.getValue())))
    return success();
  return op->emitOpError() << "expected '" << kTargetAttr
                           << "' to be a #tgx.target of a module, found "
                           << attribute.getValue();
}

void TgxDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/tgx/TgxOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/tgx/TgxAttributes.cpp.inc"
      >();
  attachTrueElements(getContext());
}
