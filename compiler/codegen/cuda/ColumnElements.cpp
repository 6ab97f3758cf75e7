//===- ColumnElements.cpp - threads that keep their columns ---------------===//
#include "compiler/codegen/cuda/ColumnElements.h"
#include "compiler/codegen/cuda/JoinedAccess.h"
#include "compiler/codegen/cuda/ThreadEmitters.h"
#include "compiler/codegen/kernel/Cost.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// The rows that a thread computes: as many as leave `kManyThreads` threads,
/// which load memory as fast as more of them, because the loads of several rows
/// overlap.
static constexpr int64_t kLeastRows = 4, kMostRows = 32, kUnknownRows = 8;
static constexpr int64_t kManyThreads = 16 * 1024;

/// The elements of arguments that a thread loads before it uses them, and the
/// expensive ops that code without loops has.
static constexpr int64_t kLoadedElements = 32, kExpensiveOps = 32;

/// The bytes of the smallest part of memory that is read.
static constexpr unsigned kSectorBytes = 32;

//===----------------------------------------------------------------------===//
// ColumnTile
//===----------------------------------------------------------------------===//

/// Returns the groups of a space but the last one.
static SmallVector<unsigned> outerGroups(const IterationSpace &space) {
  return llvm::to_vector(llvm::seq(0u, space.getNumGroups() - 1));
}

ColumnTile::ColumnTile(const KernelContext &context,
                       const IterationSpace &space, const ElementRun &run) {
  if (!run.isInRow || run.width == 1 || space.getNumGroups() < 2)
    return;
  unsigned last = space.getNumGroups() - 1;
  std::optional<int64_t> columns = staticExtent(space.getExtent(last));
  if (!columns)
    return;
  tgx::KernelOp kernel = context.kernel;
  unsigned rank = context.extentsOf(kernel.getOutputs()[0]).size();
  for (BlockArgument argument : run.joined)
    if (llvm::none_of(outerGroups(space), [&](unsigned group) {
          return IterationSpace::varies(context, argument,
                                        space.getLastAxis(group), rank);
        }))
      arguments.push_back(argument);
  std::optional<int64_t> count =
      staticExtent(space.getProduct(outerGroups(space)));
  int64_t runs = *columns / run.width;
  int64_t each =
      count ? std::min(*count * runs / kManyThreads, kMostRows) : kUnknownRows;
  if (arguments.empty() || each < kLeastRows)
    return;
  rows = llvm::bit_floor(uint64_t(each));
  // Rows are divided evenly, at the begins of sectors.
  int64_t tiles = llvm::divideCeil(runs, int64_t(kWarpThreads));
  across = llvm::divideCeil(runs, tiles);
  if (tiles > 1)
    across = llvm::alignTo(across, kSectorBytes / kAccessBytes);
  down = kBlockThreads / across;
}

//===----------------------------------------------------------------------===//
// ColumnElements
//===----------------------------------------------------------------------===//

namespace {
/// Emits the code of a thread that computes runs of neighbouring elements below
/// each other.
class ColumnElements {
public:
  ColumnElements(ThreadFrame &frame, ElementEmitter &elements,
                 const IterationSpace &space, const ElementRun &run,
                 const ColumnTile &tile)
      : frame(frame), elements(elements), space(space), run(run), tile(tile),
        outer(outerGroups(space)), rows(space.getProduct(outer)),
        columns(space.getExtent(space.getNumGroups() - 1)) {}
  LogicalResult emit();

private:
  void beginBlock();
  SmallVector<Position> positionsIn(Value row, ValueRange columns) const;
  void stage();
  void loadColumns();
  void emitRuns(Value first, unsigned count);
  int64_t countOverlapped() const;
  void emitRows(function_ref<void(Value row, unsigned count)> build);
  void emitSingle();
  void buildIf(Value condition, function_ref<void()> build,
               function_ref<void()> otherwise = {});

  ThreadFrame &frame;
  ElementEmitter &elements;
  const IterationSpace &space;
  const ElementRun &run;
  const ColumnTile &tile;
  SmallVector<unsigned> outer;
  /// The numbers of rows and of elements of a row.
  AffineExpr rows, columns;
  /// The place of the thread in its tile, its first column, its first row and
  /// the end of the rows of its tile.
  Value place, slot, column, firstRow, endRow;
  /// True if the thread has a column.
  Value hasColumn;
  /// The columns of the thread.
  SmallVector<Value> lanes;
  SmallVector<Elements> shared;
};
} // namespace

void ColumnElements::beginBlock() {
  AffineExpr across = columns.ceilDiv(tile.across * run.width);
  int64_t tileRows = tile.down * tile.rows;
  BlockThread thread = frame.beginBlock(rows.ceilDiv(tileRows) * across);
  IntegerOps ops = frame.indices();
  Value tilesAcross = frame.extent(across);
  place = ops.rem(thread.thread, ops.constant(tile.across));
  slot = ops.div(thread.thread, ops.constant(tile.across));
  Value inRow =
      ops.mul(ops.rem(thread.block, tilesAcross), ops.constant(tile.across));
  column = ops.mul(ops.add(inRow, place), ops.constant(run.width));
  for (unsigned lane = 0; lane < run.width; ++lane)
    lanes.push_back(ops.add(column, ops.constant(lane)));
  hasColumn =
      ops.compare(arith::CmpIPredicate::slt, column, frame.extent(columns));
  Value first =
      ops.mul(ops.div(thread.block, tilesAcross), ops.constant(tileRows));
  firstRow = ops.add(first, slot);
  endRow = ops.min(ops.add(first, ops.constant(tileRows)), frame.extent(rows));
}

SmallVector<Position> ColumnElements::positionsIn(Value row,
                                                  ValueRange columns) const {
  SmallVector<Value> indices = space.split(row, outer);
  indices.push_back({});
  return llvm::map_to_vector(columns, [&](Value column) {
    indices.back() = column;
    return space.position(indices, /*laneGroup=*/0, /*lanes=*/1);
  });
}

void ColumnElements::buildIf(Value condition, function_ref<void()> build,
                             function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(frame.builder, frame.loc, condition,
                                  /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(frame.builder);
  frame.builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  build();
  if (!otherwise)
    return;
  frame.builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  otherwise();
}

/// Copies the columns of the tile to shared memory. Threads of different rows
/// copy different arguments.
void ColumnElements::stage() {
  IntegerOps ops = frame.indices();
  Value target = ops.mul(place, ops.constant(run.width));
  for (auto [number, argument] : llvm::enumerate(tile.arguments)) {
    const Elements &memory = shared.emplace_back(frame.share(
        getElementTypeOrSelf(argument.getType()), tile.across * run.width));
    Value isOwn = ops.compare(arith::CmpIPredicate::eq, slot,
                              ops.constant(number % tile.down));
    Value copies =
        arith::AndIOp::create(frame.builder, frame.loc, isOwn, hasColumn);
    buildIf(copies, [&] {
      SmallVector<Value> values =
          loadJoined(frame.builder, frame.loc, frame.argument(argument), column,
                     run.width);
      storeJoined(frame.builder, frame.loc, memory, target, values);
    });
  }
  emitBarrier(frame.builder, frame.loc);
}

/// Loads the columns of the thread from shared memory.
void ColumnElements::loadColumns() {
  IntegerOps ops = frame.indices();
  Value source = ops.mul(place, ops.constant(run.width));
  for (auto [argument, memory] : llvm::zip_equal(tile.arguments, shared)) {
    SmallVector<Value> values =
        loadJoined(frame.builder, frame.loc, memory, source, run.width);
    for (auto [position, value] :
         llvm::zip_equal(positionsIn(ops.constant(0), lanes), values))
      elements.remember(argument, positionIn(frame, argument, position),
                        /*lanes=*/1, value);
  }
}

/// Emits the runs of `count` rows below each other. All loads precede the
/// stores, because an output may be the memory of an argument.
void ColumnElements::emitRuns(Value first, unsigned count) {
  IntegerOps ops = frame.indices();
  SmallVector<SmallVector<Position>> positions;
  for (unsigned row = 0; row < count; ++row)
    positions.push_back(
        positionsIn(ops.add(first, ops.constant(row * tile.down)), lanes));
  for (ArrayRef<Position> row : positions)
    for (BlockArgument argument : run.joined)
      if (!llvm::is_contained(tile.arguments, argument))
        loadRun(frame, elements, argument, row,
                elements.offsetOf(argument,
                                  positionIn(frame, argument, row.front())));
  // The stores find these values.
  for (ArrayRef<Position> row : positions)
    for (Value output : frame.kernel.getOutputs())
      for (const Position &position : row)
        elements.elementOrZero(output, position, /*lanes=*/1);
  for (ArrayRef<Position> row : positions)
    for (auto [index, output] : llvm::enumerate(frame.kernel.getOutputs())) {
      auto values = llvm::map_to_vector(row, [&](const Position &position) {
        return elements.elementOrZero(output, position, /*lanes=*/1);
      });
      storeJoined(frame.builder, frame.loc, frame.output(index),
                  elements.offsetOf(output, row.front()), values);
    }
}

/// Returns the number of rows whose loads overlap.
int64_t ColumnElements::countOverlapped() const {
  int64_t loads = run.joined.size() - tile.arguments.size();
  Block &body = frame.kernel.getBlock();
  int64_t expensive =
      llvm::count_if(body, [](Operation &op) { return isExpensive(&op); });
  int64_t most = std::min(kLoadedElements / std::max<int64_t>(loads, 1),
                          kExpensiveOps / std::max<int64_t>(expensive, 1));
  return llvm::bit_floor(
      uint64_t(std::clamp<int64_t>(most / run.width, 1, tile.rows)));
}

/// Emits a loop over the rows of the thread: `build` emits some of them.
void ColumnElements::emitRows(function_ref<void(Value, unsigned)> build) {
  IntegerOps ops = frame.indices();
  int64_t batch = countOverlapped();
  Value down = ops.constant(tile.down);
  Value count =
      ops.ceilDiv(ops.max(ops.sub(endRow, firstRow), ops.constant(0)), down);
  Value whole = ops.roundDown(count, batch);
  auto loop = [&](Value begin, Value end, int64_t step) {
    emitCarryLoop(frame, begin, end, step, {},
                  [&](Value number, ValueRange) -> SmallVector<Value> {
                    build(ops.add(firstRow, ops.mul(number, down)), step);
                    return {};
                  });
  };
  loop(ops.constant(0), whole, batch);
  if (batch > 1)
    loop(whole, count, 1);
}

/// Emits single elements, for memory that is not aligned.
void ColumnElements::emitSingle() {
  IntegerOps ops = frame.indices();
  buildFor(frame.builder, frame.loc, column,
           ops.add(column, ops.constant(run.width)), /*step=*/1,
           [&](Value each) {
             buildFor(frame.builder, frame.loc, firstRow, endRow, tile.down,
                      [&](Value row) {
                        Position position = positionsIn(row, each).front();
                        SmallVector<Value> values;
                        for (Value output : frame.kernel.getOutputs())
                          values.push_back(elements.elementOrZero(
                              output, position, /*lanes=*/1));
                        for (auto [index, output] :
                             llvm::enumerate(frame.kernel.getOutputs()))
                          storeElements(frame.builder, frame.loc,
                                        frame.output(index),
                                        elements.offsetOf(output, position),
                                        values[index], Lanes());
                      });
           });
}

LogicalResult ColumnElements::emit() {
  beginBlock();
  // Threads beyond the rows of the tile take part in its barrier.
  IntegerOps ops = frame.indices();
  if (kBlockThreads % tile.across != 0)
    hasColumn = arith::AndIOp::create(
        frame.builder, frame.loc, hasColumn,
        ops.compare(arith::CmpIPredicate::slt, slot, ops.constant(tile.down)));
  auto emitJoined = [&] {
    stage();
    buildIf(hasColumn, [&] {
      loadColumns();
      emitRows([&](Value row, unsigned count) { emitRuns(row, count); });
    });
  };
  Value bits = unalignedBits(frame, run);
  if (!bits) {
    emitJoined();
  } else {
    Value areAligned =
        ops.compare(arith::CmpIPredicate::eq, bits, ops.constant(0));
    buildIf(areAligned, emitJoined,
            [&] { buildIf(hasColumn, [&] { emitSingle(); }); });
  }
  return failure(elements.hasFailed());
}

bool tg::keepsColumns(ThreadFrame &frame) {
  IterationSpace space = makeElementSpace(frame);
  return ColumnTile(frame, space, ElementRun(frame, space)).isChosen();
}

LogicalResult tg::emitColumns(ThreadFrame &frame, ElementEmitter &elements) {
  IterationSpace space = makeElementSpace(frame);
  ElementRun run(frame, space);
  ColumnTile tile(frame, space, run);
  return ColumnElements(frame, elements, space, run, tile).emit();
}
