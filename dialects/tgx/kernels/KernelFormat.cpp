//===- KernelFormat.cpp - the text of kernels -----------------------------===//
//
//   tgx.kernel @relu_mul loop[s0](%x: tensor<?x4xf32> [s0, 4], %n: tensor<i64>
//   = s0 * 2)
//       with(%c = dense<2.0> : tensor<f32>, %m = [s0 + 1]) {
//     %0 = tg.relu %x : tensor<?x4xf32>
//     %1 = tg.mul %0, %c : (tensor<?x4xf32>, tensor<f32>) -> tensor<?x4xf32>
//   }
//
// The head lists the symbols, then the arguments with their extents (omitted if
// the type determines all of them) and, for an argument that holds a size, its
// value after `=`. `with` holds the constants and sizes at the beginning of the
// body. A body without tgx.yield returns the results of its last op.
//
//===----------------------------------------------------------------------===//
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tgx;

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Parses one kernel.
class KernelParser {
public:
  KernelParser(OpAsmParser &parser, OperationState &result)
      : parser(parser), result(result), builder(parser.getContext()) {}

  ParseResult parse();

private:
  ParseResult parseNameAndStrategy();
  ParseResult parseSymbols();
  ParseResult parseExtents(Type type);
  ParseResult parseArgument();
  ParseResult parseLeading();
  ParseResult parseBody();

  OpAsmParser &parser;
  OperationState &result;
  Builder builder;
  SmallVector<std::pair<StringRef, AffineExpr>> symbols;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Attribute> extents, sizes;
  /// The list after `with`: parsed as arguments, then turned into ops.
  SmallVector<OpAsmParser::Argument> leading;
  SmallVector<Attribute> leadingValues;
};
} // namespace

ParseResult KernelParser::parseNameAndStrategy() {
  StringAttr name;
  StringRef word;
  if (parser.parseSymbolName(name, "sym_name", result.attributes))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Strategy> strategy = symbolizeStrategy(word);
  if (!strategy)
    return parser.emitError(loc, "expected a strategy, found '") << word << "'";
  result.addAttribute("strategy",
                      StrategyAttr::get(parser.getContext(), *strategy));
  return success();
}

ParseResult KernelParser::parseSymbols() {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::OptionalSquare, [&]() -> ParseResult {
        StringRef name;
        if (parser.parseKeyword(&name))
          return failure();
        symbols.push_back(
            {name, builder.getAffineSymbolExpr(unsigned(symbols.size()))});
        return success();
      });
}

/// Parses the extents of an argument: a list, or the extents of its type.
ParseResult KernelParser::parseExtents(Type type) {
  SmallVector<AffineExpr> list;
  SMLoc loc = parser.getCurrentLocation();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return parser.emitError(loc, "expected a ranked tensor, found ") << type;
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parser.parseCommaSeparatedList([&] {
          return parser.parseAffineExpr(symbols, list.emplace_back());
        }) ||
        parser.parseRSquare())
      return failure();
  } else if (tensor.hasStaticShape()) {
    for (int64_t extent : tensor.getShape())
      list.push_back(builder.getAffineConstantExpr(extent));
  } else {
    return parser.emitError(loc, "expected the extents of ") << type;
  }
  extents.push_back(AffineMapAttr::get(
      AffineMap::get(0, symbols.size(), list, parser.getContext())));
  return success();
}

/// Parses an argument: %x: type [extents] = value.
ParseResult KernelParser::parseArgument() {
  OpAsmParser::Argument &argument = arguments.emplace_back();
  if (parser.parseArgument(argument, /*allowType=*/true) ||
      parseExtents(argument.type))
    return failure();
  if (failed(parser.parseOptionalEqual())) {
    sizes.push_back(builder.getUnitAttr());
    return success();
  }
  AffineExpr value;
  if (parser.parseAffineExpr(symbols, value))
    return failure();
  sizes.push_back(AffineMapAttr::get(AffineMap::get(0, symbols.size(), value)));
  return success();
}

/// Parses a leading value: %c = elements, or %n = [size].
ParseResult KernelParser::parseLeading() {
  OpAsmParser::Argument &value = leading.emplace_back();
  Attribute &attribute = leadingValues.emplace_back();
  if (parser.parseArgument(value) || parser.parseEqual())
    return failure();
  if (succeeded(parser.parseOptionalLSquare())) {
    AffineExpr size;
    if (parser.parseAffineExpr(symbols, size) || parser.parseRSquare())
      return failure();
    attribute = AffineMapAttr::get(AffineMap::get(0, symbols.size(), size));
    value.type = RankedTensorType::get({}, builder.getI64Type());
  } else {
    ElementsAttr elements;
    if (parser.parseAttribute(elements))
      return failure();
    attribute = elements;
    value.type = elements.getType();
  }
  return parser.parseOptionalLocationSpecifier(value.sourceLoc);
}

/// Parses the region. Turns the leading values into ops and adds an omitted
/// yield.
ParseResult KernelParser::parseBody() {
  Region &region = *result.addRegion();
  SmallVector<OpAsmParser::Argument> all(arguments);
  all.append(leading);
  if (parser.parseRegion(region, all))
    return failure();
  if (region.empty())
    region.emplaceBlock();
  Block &block = region.front();
  OpBuilder ops(parser.getContext());
  ops.setInsertionPointToStart(&block);
  for (auto [index, value] : llvm::enumerate(leadingValues)) {
    BlockArgument argument = block.getArgument(arguments.size() + index);
    Operation *op;
    if (auto map = dyn_cast<AffineMapAttr>(value))
      op = SizeOp::create(ops, argument.getLoc(), argument.getType(), map);
    else
      op = tg::ConstantOp::create(ops, argument.getLoc(),
                                  cast<ElementsAttr>(value));
    argument.replaceAllUsesWith(op->getResult(0));
  }
  block.eraseArguments(arguments.size(), leading.size());
  if (!block.empty() && isa<YieldOp>(block.back()))
    return success();
  ops.setInsertionPointToEnd(&block);
  ValueRange last = block.empty() ? ValueRange() : block.back().getResults();
  YieldOp::create(ops, result.location, last);
  return success();
}

ParseResult KernelParser::parse() {
  if (parseNameAndStrategy() || parseSymbols() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     [&] { return parseArgument(); }))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("with")) &&
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     [&] { return parseLeading(); }))
    return failure();
  result.addAttribute("symbol_count",
                      builder.getI64IntegerAttr(symbols.size()));
  result.addAttribute("argument_extents", builder.getArrayAttr(extents));
  result.addAttribute("argument_sizes", builder.getArrayAttr(sizes));
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  return parseBody();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return KernelParser(parser, result).parse();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printSymbols(OpAsmPrinter &printer, unsigned count) {
  if (count == 0)
    return;
  printer << '[';
  llvm::interleaveComma(llvm::seq(count), printer,
                        [&](unsigned index) { printer << 's' << index; });
  printer << ']';
}

/// Returns true if all extents are constants that equal those of the type.
static bool determinesExtents(RankedTensorType type, AffineMap extents) {
  for (auto [size, extent] :
       llvm::zip_equal(type.getShape(), extents.getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(extent);
    if (!constant || constant.getValue() != size)
      return false;
  }
  return true;
}

static void printArgument(OpAsmPrinter &printer, BlockArgument argument,
                          AffineMap extents, Attribute size) {
  printer.printRegionArgument(argument);
  auto type = cast<RankedTensorType>(argument.getType());
  if (!determinesExtents(type, extents)) {
    printer << " [";
    llvm::interleaveComma(extents.getResults(), printer);
    printer << ']';
  }
  if (auto map = dyn_cast<AffineMapAttr>(size))
    printer << " = " << map.getValue().getResult(0);
}

/// Returns true for constants and sizes without further attributes, which
/// `with` may hold.
static bool canLead(Operation &op) {
  return isa<SizeOp, tg::ConstantOp>(op) && op.getAttrs().size() == 1;
}

/// Returns the name of a value, or "%" for the printer that only collects
/// aliases.
static std::string nameOf(OpAsmPrinter &printer, Value value) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  printer.printOperand(value, stream);
  return name;
}

/// Prints the location of `op` if locations are printed. The printer that
/// collects aliases would otherwise count the location as always printed.
static void printLocation(OpAsmPrinter &printer, Operation &op) {
  Value value = op.getNumResults()    ? Value(op.getResult(0))
                : op.getNumOperands() ? op.getOperand(0)
                                      : Value();
  if (value && nameOf(printer, value).size() > 1)
    printer.printOptionalLocationSpecifier(op.getLoc());
}

static void printLeading(OpAsmPrinter &printer, Operation &op) {
  printer << op.getResult(0) << " = ";
  if (auto size = dyn_cast<SizeOp>(op))
    printer << '[' << size.getValue().getResult(0) << ']';
  else
    printer.printAttribute(cast<tg::ConstantOp>(op).getValue());
  printLocation(printer, op);
}

/// Returns true if the yield returns exactly the results of the op before it.
static bool yieldsLast(YieldOp yield) {
  Operation *last = yield->getPrevNode();
  return last && last->getResults() == yield.getValues() &&
         yield->getAttrs().empty();
}

/// Prints "%0 = " for one result. For several, prints "%0:2 = " if they share a
/// name, and "%values, %indices = " if each has its own.
static void printResults(OpAsmPrinter &printer, Operation &op) {
  if (op.getNumResults() == 0)
    return;
  SmallVector<std::pair<std::string, unsigned>> groups;
  for (Value result : op.getResults()) {
    std::string name =
        StringRef(nameOf(printer, result)).split('#').first.str();
    if (groups.empty() || groups.back().first != name)
      groups.push_back({name, 0});
    ++groups.back().second;
  }
  llvm::interleaveComma(groups, printer, [&](const auto &group) {
    printer << group.first;
    if (group.second > 1)
      printer << ':' << group.second;
  });
  printer << " = ";
}

static void printBody(OpAsmPrinter &printer, Block::iterator first,
                      Block &block) {
  auto yield = cast<YieldOp>(block.getTerminator());
  Block::iterator end = yieldsLast(yield) ? yield->getIterator() : block.end();
  // A body of one op is printed on the line of the kernel.
  bool isShort = first != end && std::next(first) == end;
  printer << " {";
  printer.increaseIndent();
  for (Operation &op : llvm::make_range(first, end)) {
    if (isShort)
      printer << ' ';
    else
      printer.printNewline();
    printResults(printer, op);
    printer.printCustomOrGenericOp(&op);
    printLocation(printer, op);
  }
  printer.decreaseIndent();
  if (isShort)
    printer << ' ';
  else
    printer.printNewline();
  printer << '}';
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << ' ' << stringifyStrategy(getStrategy());
  printSymbols(printer, getSymbolCount());
  printer << '(';
  llvm::interleaveComma(
      llvm::zip_equal(getBlock().getArguments(),
                      getArgumentExtents().getAsRange<AffineMapAttr>(),
                      getArgumentSizes()),
      printer, [&](auto parts) {
        auto [argument, extents, size] = parts;
        printArgument(printer, argument, extents.getValue(), size);
      });
  printer << ')';
  Block::iterator body = llvm::find_if_not(getBlock(), canLead);
  if (body != getBlock().begin()) {
    printer << " with(";
    llvm::interleaveComma(llvm::make_range(getBlock().begin(), body), printer,
                          [&](Operation &op) { printLeading(printer, op); });
    printer << ')';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"sym_name", "strategy", "symbol_count",
                            "argument_extents", "argument_sizes"});
  printBody(printer, body, getBlock());
}
