//===- WinogradThreads.cpp - a thread for each Winograd tile --------------===//
#include "compiler/codegen/cuda/winograd/WinogradThreads.h"
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "compiler/codegen/cuda/winograd/WinogradSum.h"
#include "dialects/tg/Order.h"
#include "dialects/tg/Tg.h"

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

namespace {

/// Emits threads that compute several elements of the result each, and the
/// outputs at their positions.
class TileThreads {
public:
  TileThreads(ThreadFrame &frame, ElementEmitter &elements,
              const Contraction &contraction, WinogradSum &sum)
      : frame(frame), elements(elements), result(contraction.result), sum(sum) {
  }

  LogicalResult emit();

private:
  void emitTaps(Value channel, Value column);
  void emitTile(Value number, Value column);
  void store(ArrayRef<Value> index, Value value);

  ThreadFrame &frame;
  ElementEmitter &elements;
  const ContractionTensor &result;
  WinogradSum &sum;
};

} // namespace

static bool isSameIndex(Value a, Value b) {
  std::optional<int64_t> constant = constantNumber(a);
  return a == b || (constant && constant == constantNumber(b));
}

/// Stores the outputs at an index of the result, whose element there is
/// `value`. All loads precede the stores, because an output may be the memory
/// of an argument.
void TileThreads::store(ArrayRef<Value> index, Value value) {
  Position position;
  for (auto [axis, extent] : llvm::enumerate(result.extents)) {
    // The form in which elementwise ops pass an index on.
    position.index.push_back(
        staticExtent(extent) == 1 ? frame.integers().constant(0) : index[axis]);
    position.laneStep.push_back(0);
  }
  elements.provide(result.value, [&](const Position &other, unsigned) {
    bool isHere = llvm::equal(other.index, position.index, isSameIndex);
    return isHere ? value : sum.emitElement(other);
  });
  SmallVector<Value> values;
  for (Value output : frame.kernel.getOutputs())
    values.push_back(elements.elementOrZero(output, position, /*lanes=*/1));
  for (auto [number, stored] : llvm::enumerate(values))
    storeElements(
        frame.builder, frame.loc, frame.output(number),
        elements.offsetOf(frame.kernel.getOutputs()[number], position), stored,
        Lanes());
}

void TileThreads::emitTaps(Value channel, Value column) {
  IntegerOps ops = frame.integers();
  for (auto [tap, value] : llvm::enumerate(sum.emitTaps(channel, column)))
    store({ops.constant(int64_t(tap) / kTaps),
           ops.constant(int64_t(tap) % kTaps), channel, column},
          value);
}

/// Stores the positions of a tile that lie inside of the image.
void TileThreads::emitTile(Value number, Value column) {
  IntegerOps ops = frame.integers();
  int64_t size = sum.getTile().positions;
  WinogradTileIndex tile = winogradTileIndexOf(frame, sum.getTiles(), number);
  Value first[] = {ops.mul(tile.line, ops.constant(size)),
                   ops.mul(tile.column, ops.constant(size))};
  for (auto [position, value] : llvm::enumerate(sum.emitTile(tile, column))) {
    int64_t offsets[] = {int64_t(position) / size, int64_t(position) % size};
    Value index[2], isInside;
    bool mayExist = true;
    for (unsigned axis : {0, 1}) {
      AffineExpr extent = result.extents[1 + axis];
      std::optional<int64_t> known = staticExtent(extent);
      mayExist &= !known || offsets[axis] < *known;
      index[axis] = ops.add(first[axis], ops.constant(offsets[axis]));
      if (known && *known % size == 0)
        continue;
      Value holds = ops.compare(arith::CmpIPredicate::slt, index[axis],
                                frame.extent(extent));
      isInside = isInside ? frame.builder.createOrFold<arith::AndIOp>(
                                frame.loc, isInside, holds)
                          : holds;
    }
    if (!mayExist)
      continue;
    OpBuilder::InsertionGuard guard(frame.builder);
    if (isInside)
      frame.builder.setInsertionPoint(
          scf::IfOp::create(frame.builder, frame.loc, isInside,
                            /*withElseRegion=*/false)
              .thenBlock()
              ->getTerminator());
    store({tile.image, index[0], index[1], column}, value);
  }
}

LogicalResult TileThreads::emit() {
  IntegerOps ops = frame.indices();
  AffineExpr columnExtent = result.extents.back();
  AffineExpr rows = sum.sumsTiles() ? result.extents[2] : sum.countTiles();
  Value number = frame.beginThread(rows * columnExtent);
  Value columns = frame.extent(columnExtent);
  Value row = ops.div(number, columns), column = ops.rem(number, columns);
  if (sum.sumsTiles())
    emitTaps(row, column);
  else
    emitTile(row, column);
  elements.withdraw(result.value);
  return failure(elements.hasFailed());
}

LogicalResult tg::emitWinograd(ThreadFrame &frame,
                               const Contraction &contraction) {
  Operation *op = contraction.result.value.getDefiningOp();
  if (!isConvolution(contraction) && !isFilterGradient(contraction))
    return op->emitOpError()
           << "expected a 3x3 convolution with at least one channel and one "
              "column, or a gradient of one, for Winograd tiles, found another";
  ElementEmitter elements(frame);
  WinogradSum sum(elements, contraction, Tile{orderOf(op).getWinograd()});
  elements.provide(contraction.result.value,
                   [&](const Position &position, unsigned) {
                     return sum.emitElement(position);
                   });
  if (!frame.kernel.getBlock().getOps<ReductionOpInterface>().empty())
    return emitReducedGroups(frame, elements);
  bool hasOneSpace = llvm::all_of(frame.kernel.getOutputs(), [&](Value output) {
    return frame.extentsOf(output) == ArrayRef(contraction.result.extents);
  });
  return hasOneSpace ? TileThreads(frame, elements, contraction, sum).emit()
                     : emitElements(frame, elements);
}
