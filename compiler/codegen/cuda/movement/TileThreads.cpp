//===- TileThreads.cpp - blocks of threads that transpose tiles -----------===//
#include "compiler/codegen/cuda/movement/TransposedTile.h"

using namespace mlir;
using namespace tg;

namespace {
/// The row and column of an element: in the tile, or in the outputs.
struct Place {
  Value row, column;
};

/// Emits the threads of a block that computes a tile.
class TileThreads {
public:
  TileThreads(ThreadFrame &frame, ElementEmitter &elements,
              const TransposedTile &tile)
      : frame(frame), elements(elements), tile(tile) {}
  LogicalResult emit();

private:
  /// An argument in shared memory.
  struct Stage {
    IndexedValue argument;
    TileLayout layout;
    Elements memory;
  };

  void begin();
  AffineExpr countAlong(unsigned group) const {
    return tile.space.getExtent(group);
  }
  Place divide(unsigned step, unsigned size) const;
  Position positionOf(const Place &place) const;
  Position positionIn(const IndexedValue &value,
                      const Position &position) const;
  Value clamp(Value number, unsigned group, unsigned size);
  void load();
  void provideTile();
  Value isInside(const Place &place, const Place &size);
  LogicalResult compute(const Place &place, SmallVectorImpl<Value> &values);
  void store(const Place &place, ArrayRef<Value> values);
  LogicalResult storeTile();
  LogicalResult storeEdge();
  LogicalResult storeOutputs();

  ThreadFrame &frame;
  ElementEmitter &elements;
  const TransposedTile &tile;
  SmallVector<Stage> stages;
  Value thread;
  /// The indices of all groups of the tile's first element.
  SmallVector<Value> first;
  /// The element that is computed now: its place in the tile, and its position
  /// in the outputs.
  Place current;
  Position position;
};
} // namespace

/// Begins the code of a block. Tiles are numbered row by row.
void TileThreads::begin() {
  SmallVector<unsigned> others =
      llvm::to_vector(llvm::seq(0u, tile.space.getNumGroups()));
  llvm::erase_if(others, [&](unsigned group) {
    return group == tile.rowGroup || group == tile.columnGroup;
  });
  AffineExpr down = countAlong(tile.rowGroup).ceilDiv(tile.rows);
  AffineExpr across = countAlong(tile.columnGroup).ceilDiv(tile.columns);
  BlockThread self =
      frame.beginBlock(tile.space.getProduct(others) * down * across);
  thread = self.thread;
  IntegerOps ops = frame.indices();
  Value number = ops.div(self.block, frame.extent(across));
  first.resize(tile.space.getNumGroups());
  first[tile.columnGroup] = ops.mul(ops.rem(self.block, frame.extent(across)),
                                    ops.constant(tile.columns));
  first[tile.rowGroup] =
      ops.mul(ops.rem(number, frame.extent(down)), ops.constant(tile.rows));
  SmallVector<Value> rest =
      tile.space.split(ops.div(number, frame.extent(down)), others);
  for (auto [group, index] : llvm::zip_equal(others, rest))
    first[group] = index;
  for (const IndexedValue &argument : tile.staged) {
    Type type = getElementTypeOrSelf(argument.value);
    TileLayout layout(tile, elementBytes(type));
    stages.push_back({argument, layout, frame.share(type, layout.getCount())});
  }
}

/// Returns the line and the place in it of element `step` of the thread, if the
/// threads of a block have neighbours of lines of `size` elements.
Place TileThreads::divide(unsigned step, unsigned size) const {
  IntegerOps ops = frame.indices();
  unsigned before = step * kBlockThreads;
  Value length = ops.constant(size);
  if (kBlockThreads % size == 0)
    return {ops.add(ops.div(thread, length), ops.constant(before / size)),
            ops.rem(thread, length)};
  if (size % kBlockThreads == 0)
    return {ops.constant(before / size),
            ops.add(thread, ops.constant(before % size))};
  Value number = ops.add(thread, ops.constant(before));
  return {ops.div(number, length), ops.rem(number, length)};
}

/// Returns the position of an element of the tile in the outputs.
Position TileThreads::positionOf(const Place &place) const {
  IntegerOps ops = frame.indices();
  SmallVector<Value> indices = first;
  indices[tile.rowGroup] = ops.add(first[tile.rowGroup], place.row);
  indices[tile.columnGroup] = ops.add(first[tile.columnGroup], place.column);
  return tile.space.position(indices, /*laneGroup=*/0, /*lanes=*/1);
}

/// Returns the position of a value's element that a position of the outputs
/// reads.
Position TileThreads::positionIn(const IndexedValue &value,
                                 const Position &position) const {
  Position result;
  for (AffineExpr index : value.map.getResults()) {
    auto dimension = dyn_cast<AffineDimExpr>(index);
    result.index.push_back(dimension ? position.index[dimension.getPosition()]
                                     : frame.integers().constant(0));
  }
  result.laneStep.assign(result.index.size(), 0);
  return result;
}

/// Returns `number`, an element of the tile along a group, or that of the last
/// element that exists.
Value TileThreads::clamp(Value number, unsigned group, unsigned size) {
  AffineExpr count = countAlong(group);
  if (count.isMultipleOf(size))
    return number;
  IntegerOps ops = frame.indices();
  return ops.min(number, ops.sub(ops.sub(frame.extent(count), ops.constant(1)),
                                 first[group]));
}

/// Loads the tiles of the arguments into shared memory. Threads beyond the end
/// load the last elements once more, so that no load depends on a branch.
void TileThreads::load() {
  OpBuilder &builder = frame.builder;
  IntegerOps ops = frame.indices();
  struct Store {
    Elements memory;
    Value place, value;
  };
  SmallVector<Store> stores;
  for (unsigned step = 0; step < tile.rows * tile.columns / kBlockThreads;
       ++step) {
    auto [column, row] = divide(step, tile.rows);
    Position from = positionOf({clamp(row, tile.rowGroup, tile.rows),
                                clamp(column, tile.columnGroup, tile.columns)});
    for (const Stage &stage : stages) {
      auto argument = cast<BlockArgument>(stage.argument.value);
      Value offset =
          elements.offsetOf(argument, positionIn(stage.argument, from));
      Value value = loadElements(builder, frame.loc, frame.argument(argument),
                                 offset, Lanes());
      stores.push_back(
          {stage.memory, stage.layout.placeOf(ops, row, column), value});
    }
  }
  for (const Store &store : stores)
    storeElements(builder, frame.loc, store.memory, store.place, store.value,
                  Lanes());
}

/// Returns true if two positions are the same values.
static bool isSame(const Position &lhs, const Position &rhs) {
  return llvm::equal(lhs.index, rhs.index, [](Value a, Value b) {
    std::optional<int64_t> number = constantNumber(a);
    return a == b || (number && number == constantNumber(b));
  });
}

/// Makes elements of the staged arguments come from shared memory.
void TileThreads::provideTile() {
  for (const Stage &stage : stages)
    elements.provide(
        stage.argument.value,
        [this, tensor = stage.argument.value](const Position &wanted,
                                              unsigned) -> Value {
          for (const Stage &each : stages)
            if (each.argument.value == tensor &&
                isSame(wanted, positionIn(each.argument, position)))
              return loadElements(frame.builder, frame.loc, each.memory,
                                  each.layout.placeOf(frame.indices(),
                                                      current.row,
                                                      current.column),
                                  Lanes());
          return {};
        });
}

/// Returns true as a value if a box of `size` from an element of the tile on
/// lies within the outputs. Null if this is always so.
Value TileThreads::isInside(const Place &place, const Place &size) {
  IntegerOps ops = frame.indices();
  Value holds;
  auto require = [&](unsigned group, unsigned side, Value from, Value count) {
    AffineExpr extent = countAlong(group);
    if (extent.isMultipleOf(side))
      return;
    Value fits = ops.compare(arith::CmpIPredicate::sle,
                             ops.add(ops.add(first[group], from), count),
                             frame.extent(extent));
    holds = holds ? arith::AndIOp::create(frame.builder, frame.loc, holds, fits)
                  : fits;
  };
  require(tile.rowGroup, tile.rows, place.row, size.row);
  require(tile.columnGroup, tile.columns, place.column, size.column);
  return holds;
}

/// Emits the elements of the outputs at a place of the tile.
LogicalResult TileThreads::compute(const Place &place,
                                   SmallVectorImpl<Value> &values) {
  current = place;
  position = positionOf(place);
  for (Value output : frame.kernel.getOutputs()) {
    FailureOr<Value> value = elements.element(output, position, /*lanes=*/1);
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return success();
}

void TileThreads::store(const Place &place, ArrayRef<Value> values) {
  Position at = positionOf(place);
  for (auto [index, value] : llvm::enumerate(values))
    storeElements(frame.builder, frame.loc, frame.output(index),
                  elements.offsetOf(frame.kernel.getOutputs()[index], at),
                  value, Lanes());
}

/// Stores a tile of which all elements exist. All loads of a thread precede its
/// stores, because an output may be the memory of an argument.
LogicalResult TileThreads::storeTile() {
  SmallVector<Place> places;
  SmallVector<Value> values;
  for (unsigned step = 0; step < tile.rows * tile.columns / kBlockThreads;
       ++step) {
    auto [row, column] = divide(step, tile.columns);
    places.push_back({row, column});
    if (failed(compute(places.back(), values)))
      return failure();
  }
  size_t outputs = frame.kernel.getOutputs().size();
  for (auto [step, place] : llvm::enumerate(places))
    store(place, ArrayRef(values).slice(step * outputs, outputs));
  return success();
}

/// Stores a tile at the end of the rows or columns, element by element.
LogicalResult TileThreads::storeEdge() {
  OpBuilder &builder = frame.builder;
  IntegerOps ops = frame.indices();
  LogicalResult result = success();
  Value columns = ops.constant(tile.columns), one = ops.constant(1);
  buildFor(builder, frame.loc, thread, ops.constant(tile.rows * tile.columns),
           kBlockThreads, [&](Value number) {
             Place place{ops.div(number, columns), ops.rem(number, columns)};
             auto branch = scf::IfOp::create(builder, frame.loc,
                                             isInside(place, {one, one}),
                                             /*withElseRegion=*/false);
             OpBuilder::InsertionGuard guard(builder);
             builder.setInsertionPointToStart(branch.thenBlock());
             SmallVector<Value> values;
             result = compute(place, values);
             if (succeeded(result))
               store(place, values);
           });
  return result;
}

LogicalResult TileThreads::storeOutputs() {
  IntegerOps ops = frame.indices();
  Value zero = ops.constant(0);
  Value isWhole = isInside(
      {zero, zero}, {ops.constant(tile.rows), ops.constant(tile.columns)});
  if (!isWhole)
    return storeTile();
  auto branch = scf::IfOp::create(frame.builder, frame.loc, isWhole,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  if (failed(storeTile()))
    return failure();
  frame.builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  return storeEdge();
}

LogicalResult TileThreads::emit() {
  begin();
  load();
  emitBarrier(frame.builder, frame.loc);
  provideTile();
  return storeOutputs();
}

LogicalResult tg::emitTransposedTiles(ThreadFrame &frame,
                                      ElementEmitter &elements,
                                      const TransposedTile &tile) {
  return TileThreads(frame, elements, tile).emit();
}
