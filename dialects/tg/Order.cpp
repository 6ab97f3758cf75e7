//===- Order.cpp - the orders of sums -------------------------------------===//
#include "dialects/tg/Order.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/windows/WinogradRules.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

static constexpr int64_t kMaxLanes = 64, kMaxAccumulators = 16,
                         kMaxLength = int64_t(1) << 20;

LogicalResult OrderAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t lanes, int64_t accumulators,
                                ArrayRef<int64_t> blocks,
                                ArrayRef<int64_t> lines, ArrayRef<int64_t> tile,
                                int64_t winograd) {
  auto verifyPower = [&](StringRef what, int64_t value, int64_t maximum) {
    if (value >= 1 && value <= maximum && llvm::isPowerOf2_64(value))
      return success();
    emitError() << "expected " << what << " to be a power of two up to "
                << maximum << ", found " << value;
    return failure();
  };
  if (failed(verifyPower("lanes", lanes, kMaxLanes)) ||
      failed(verifyPower("accumulators", accumulators, kMaxAccumulators)))
    return failure();
  for (auto [name, list] : {std::pair("blocks", blocks), {"lines", lines}})
    for (int64_t length : list)
      if (length < 1 || length > kMaxLength)
        return emitError() << "expected each of " << name << " to be from 1 to "
                           << kMaxLength << ", found " << length;
  bool isTile = tile.size() == 2 && llvm::all_of(tile, [](int64_t extent) {
                  return extent >= 0 && extent <= kMaxLength;
                });
  if (!tile.empty() && (!isTile || lines.empty()))
    return emitError() << "expected tile to have two extents from 0 to "
                       << kMaxLength << ", and lines beside it, found [" << tile
                       << "]";
  if (winograd && !llvm::is_contained(winograd::kTileSizes, winograd))
    return emitError() << "expected winograd to be 4 or 2, found " << winograd;
  return success();
}

/// Parses a list of integers in brackets.
static ParseResult parseLengths(AsmParser &parser,
                                SmallVectorImpl<int64_t> &lengths) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(lengths.emplace_back());
  });
}

Attribute OrderAttr::parse(AsmParser &parser, Type) {
  int64_t lanes = 1, accumulators = 1, winograd = 0;
  SmallVector<int64_t> blocks, lines, tile;
  SmallVector<StringRef> seen;
  SMLoc start = parser.getCurrentLocation();
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (llvm::is_contained(seen, name))
      return parser.emitError(loc) << "expected '" << name << "' once";
    seen.push_back(name);
    if (name == "lanes")
      return parser.parseInteger(lanes);
    if (name == "accumulators")
      return parser.parseInteger(accumulators);
    if (name == "blocks")
      return parseLengths(parser, blocks);
    if (name == "lines")
      return parseLengths(parser, lines);
    if (name == "tile")
      return parseLengths(parser, tile);
    if (name == "winograd")
      return parser.parseInteger(winograd);
    return parser.emitError(loc)
           << "expected lanes, accumulators, blocks, lines, tile or winograd, "
              "found '"
           << name << "'";
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  return OrderAttr::getChecked(
      [&] { return parser.emitError(start); }, parser.getContext(), lanes,
      accumulators, ArrayRef<int64_t>(blocks), ArrayRef<int64_t>(lines),
      ArrayRef<int64_t>(tile), winograd);
}

void OrderAttr::print(AsmPrinter &printer) const {
  SmallVector<std::string> entries;
  auto addNumber = [&](StringRef name, int64_t value) {
    if (value != 1)
      entries.push_back((name + " = " + Twine(value)).str());
  };
  auto addList = [&](StringRef name, ArrayRef<int64_t> list) {
    std::string &text = entries.emplace_back((name + " = [").str());
    llvm::raw_string_ostream stream(text);
    llvm::interleaveComma(list, stream);
    stream << "]";
  };
  addNumber("lanes", getLanes());
  addNumber("accumulators", getAccumulators());
  if (!getBlocks().empty() || getLines().empty())
    addList("blocks", getBlocks());
  if (!getLines().empty())
    addList("lines", getLines());
  if (!getTile().empty())
    addList("tile", getTile());
  if (getWinograd())
    addNumber("winograd", getWinograd());
  printer << "<" << llvm::join(entries, ", ") << ">";
}

LogicalResult tg::verifyOrderAttribute(Operation *op, Attribute value) {
  auto order = dyn_cast<OrderAttr>(value);
  if (!order)
    return op->emitOpError()
           << "expected " << kOrderAttr << " to be a #tg.order, found " << value
           << " [G5]";
  auto ordered = dyn_cast<OrderedOpInterface>(op);
  if (!ordered)
    return op->emitOpError() << "expected no attribute '" << kOrderAttr
                             << "' on an op that takes no sum [G5]";
  return ordered.verifyOrder(order);
}

OrderAttr tg::orderOf(Operation *op) {
  if (auto order = op->getAttrOfType<OrderAttr>(kOrderAttr))
    return order;
  return cast<OrderedOpInterface>(op).chooseOrder();
}

//===----------------------------------------------------------------------===//
// Orders of ops
//===----------------------------------------------------------------------===//

unsigned tg::countLineAxes(ArrayRef<int64_t> axes, int64_t rank) {
  unsigned count = 0;
  while (count < axes.size() &&
         axes[axes.size() - 1 - count] == rank - 1 - int64_t(count))
    ++count;
  return count;
}

OrderAttr tg::chooseReductionOrder(MLIRContext *context, ArrayRef<int64_t> axes,
                                   int64_t rank) {
  unsigned lineAxes = countLineAxes(axes, rank);
  SmallVector<int64_t> lines;
  if (lineAxes < axes.size())
    lines = {24, 64, 64};
  if (!lineAxes)
    return OrderAttr::get(context, 1, 1, {}, lines, {}, 0);
  return OrderAttr::get(context, /*lanes=*/16, /*accumulators=*/4, {64, 8, 64},
                        lines, {}, 0);
}

LogicalResult tg::verifyReductionOrder(Operation *op, OrderAttr order,
                                       ArrayRef<int64_t> axes, int64_t rank) {
  unsigned lineAxes = countLineAxes(axes, rank);
  bool isLine = order.getStepElements() > 1 || !order.getBlocks().empty();
  if (order.getWinograd())
    return op->emitOpError()
           << "expected winograd on a convolution alone, found " << order;
  if (!order.getTile().empty() && axes.size() - lineAxes < 2)
    return op->emitOpError()
           << "expected a tile only if two axes before the last one that is "
              "not reduced are reduced, found "
           << order;
  if (!lineAxes && isLine)
    return op->emitOpError()
           << "expected an order of lines alone, because the last axis is not "
              "reduced, found "
           << order;
  if (lineAxes == axes.size() && !order.getLines().empty())
    return op->emitOpError()
           << "expected an order without lines, because the reduced axes are "
              "the last ones, found "
           << order;
  return success();
}

OrderAttr tg::chooseProductOrder(MLIRContext *context) {
  return OrderAttr::get(context, 1, 1, {512, 16}, {}, {}, 0);
}

OrderAttr tg::getSequentialOrder(MLIRContext *context) {
  return OrderAttr::get(context, 1, 1, {}, {}, {}, 0);
}

LogicalResult tg::verifySequentialOrder(Operation *op, OrderAttr order) {
  if (order.getStepElements() == 1 && order.getLines().empty() &&
      !order.getWinograd())
    return success();
  return op->emitOpError() << "expected an order of one lane, one accumulator, "
                              "no lines and no tiles, found "
                           << order;
}

OrderAttr tg::chooseRunningOrder(MLIRContext *context, int64_t axis,
                                 int64_t rank) {
  return OrderAttr::get(context, /*lanes=*/axis + 1 == rank ? 16 : 1, 1, {}, {},
                        {}, 0);
}

LogicalResult tg::verifyRunningOrder(Operation *op, OrderAttr order,
                                     int64_t axis, int64_t rank) {
  bool hasLanes = order.getLanes() > 1;
  if (order.getAccumulators() == 1 && order.getBlocks().empty() &&
      order.getLines().empty() && !order.getWinograd() &&
      (!hasLanes || axis + 1 == rank))
    return success();
  return op->emitOpError() << "expected an order of lanes alone, and of one "
                              "lane unless the axis is the last one, found "
                           << order;
}
