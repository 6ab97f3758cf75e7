//===- TransposedTile.cpp - the choice of tiles that transpose ------------===//
#include "compiler/codegen/cuda/movement/TransposedTile.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

using namespace mlir;
using namespace tg;

/// The extents of a tile of long rows and columns.
static constexpr unsigned kSide = 32;
/// The longest rows and columns that a tile has whole.
static constexpr int64_t kShortSide = 16;
/// The number of elements of a tile: each thread has some loads in flight.
static constexpr unsigned kTileElements = kSide * kSide;

/// The banks of shared memory, and the bytes of each.
static constexpr unsigned kBanks = 32, kBankBytes = 4;
/// The bytes of shared memory that every GPU gives to a block.
static constexpr unsigned kSharedBytes = 48 << 10;

//===----------------------------------------------------------------------===//
// TileLayout
//===----------------------------------------------------------------------===//

// The longer side is contiguous. Where a warp walks along the shorter one, it
// passes all its lines, each by the same number of elements: lines begin that
// many banks after each other.
TileLayout::TileLayout(const TransposedTile &tile, unsigned elementBytes)
    : isByColumns(tile.rows >= tile.columns),
      lines(std::min(tile.rows, tile.columns)) {
  unsigned words = std::max(1u, elementBytes / kBankBytes);
  unsigned perWord = std::max(1u, kBankBytes / elementBytes);
  unsigned banks = kBanks / words;
  unsigned step = llvm::divideCeil(banks, lines) % banks;
  unsigned length =
      llvm::divideCeil(std::max(tile.rows, tile.columns), perWord);
  while (length % banks != step)
    ++length;
  stride = length * perWord;
}

Value TileLayout::placeOf(const IntegerOps &ops, Value row,
                          Value column) const {
  Value line = isByColumns ? column : row, inLine = isByColumns ? row : column;
  return ops.add(ops.mul(line, ops.constant(stride)), inLine);
}

//===----------------------------------------------------------------------===//
// The choice of a tile
//===----------------------------------------------------------------------===//

/// Returns the dimension of the outputs along which neighbours of a value are
/// neighbours in memory. None if the value has one element.
static std::optional<unsigned> findContiguous(const KernelContext &context,
                                              const IndexedValue &value) {
  ArrayRef<AffineExpr> extents = context.extentsOf(value.value);
  for (unsigned axis = extents.size(); axis-- > 0;)
    if (staticExtent(extents[axis]) != 1) {
      auto dimension = dyn_cast<AffineDimExpr>(value.map.getResult(axis));
      return dimension ? std::optional(dimension.getPosition()) : std::nullopt;
    }
  return std::nullopt;
}

/// Returns true if two dimensions of the outputs may be one for a value: it
/// varies along neither, or along both, which follow one another in its rows.
static bool areTogether(const KernelContext &context, const IndexedValue &value,
                        unsigned axis, unsigned previous) {
  MLIRContext *mlir = value.map.getContext();
  auto last = value.map.getResultPosition(getAffineDimExpr(axis, mlir));
  auto first = value.map.getResultPosition(getAffineDimExpr(previous, mlir));
  if (!first || !last)
    return !first && !last;
  ArrayRef<AffineExpr> extents = context.extentsOf(value.value);
  for (unsigned between = *first + 1; between < *last; ++between)
    if (staticExtent(extents[between]) != 1)
      return false;
  tgx::RowsAttr rows = tgx::KernelOp(context.kernel).rowsOf(value.value);
  return *first < *last &&
         (!rows || *first >= rows.getAxis() || rows.getAxis() > *last);
}

/// Returns the group of a space that has a dimension as its last.
static std::optional<unsigned> findGroup(const IterationSpace &space,
                                         unsigned axis) {
  for (unsigned group = 0; group < space.getNumGroups(); ++group)
    if (space.getLastAxis(group) == axis)
      return group;
  return std::nullopt;
}

/// Finds the arguments that vary along the last group of the space, but have
/// neighbours along another one: that of the most bytes.
static void findStaged(const KernelContext &context,
                       ArrayRef<IndexedValue> values, TransposedTile &tile) {
  llvm::MapVector<unsigned, SmallVector<IndexedValue>> byGroup;
  AffineExpr columns = getAffineDimExpr(
      tile.space.getLastAxis(tile.columnGroup), context.kernel->getContext());
  for (const IndexedValue &value : values) {
    std::optional<unsigned> contiguous = findContiguous(context, value);
    if (!isa<BlockArgument>(value.value) || !contiguous ||
        !value.map.getResultPosition(columns))
      continue;
    std::optional<unsigned> group = findGroup(tile.space, *contiguous);
    if (group && *group != tile.columnGroup)
      byGroup[*group].push_back(value);
  }
  int64_t most = 0;
  for (auto &[group, staged] : byGroup) {
    int64_t bytes = 0;
    for (const IndexedValue &value : staged)
      bytes += elementBytes(getElementTypeOrSelf(value.value));
    if (bytes <= most)
      continue;
    most = bytes;
    tile.rowGroup = group;
    tile.staged = staged;
  }
}

/// Chooses the extents of a tile. Short rows and columns are whole, so that
/// tiles are long lines of memory on both sides. Returns false if both are
/// short.
static bool chooseSides(TransposedTile &tile) {
  auto sideOf = [&](unsigned group) -> unsigned {
    auto extent = staticExtent(tile.space.getExtent(group));
    return extent && *extent <= kShortSide ? *extent : kSide;
  };
  tile.rows = sideOf(tile.rowGroup);
  tile.columns = sideOf(tile.columnGroup);
  if (tile.rows < kSide && tile.columns < kSide)
    return false;
  if (tile.rows == tile.columns)
    return true;
  bool hasShortRows = tile.rows < tile.columns;
  unsigned side = hasShortRows ? tile.rows : tile.columns;
  unsigned unit =
      std::max(kSide, kBlockThreads / std::gcd(side, kBlockThreads));
  unsigned length = std::max<unsigned>(1, kTileElements / side / unit) * unit;
  if (auto extent = staticExtent(tile.space.getExtent(
          hasShortRows ? tile.columnGroup : tile.rowGroup)))
    length = std::min<uint64_t>(length, llvm::alignTo(*extent, unit));
  (hasShortRows ? tile.columns : tile.rows) = length;
  return true;
}

/// Leaves out arguments for which a block has no shared memory.
static void limitShared(TransposedTile &tile) {
  unsigned bytes = 0;
  llvm::erase_if(tile.staged, [&](const IndexedValue &value) {
    unsigned each = elementBytes(getElementTypeOrSelf(value.value));
    unsigned added =
        llvm::alignTo(TileLayout(tile, each).getCount() * each, 16);
    if (bytes + added > kSharedBytes)
      return true;
    bytes += added;
    return false;
  });
}

std::optional<TransposedTile> tg::findTransposedTile(ThreadFrame &frame) {
  Block &body = frame.kernel.getBlock();
  if (llvm::all_of(body.without_terminator(),
                   [](Operation &op) { return isElementwise(&op); }))
    return std::nullopt;
  auto values = findIndexingMaps(frame);
  if (!values)
    return std::nullopt;
  ArrayRef<AffineExpr> extents = frame.extentsOf(frame.kernel.getOutputs()[0]);
  IterationSpace space(frame, extents, [&](unsigned axis, unsigned previous) {
    return llvm::all_of(*values, [&](const IndexedValue &value) {
      return areTogether(frame, value, axis, previous);
    });
  });
  if (space.getNumGroups() < 2)
    return std::nullopt;
  TransposedTile tile{space, 0, space.getNumGroups() - 1, 0, 0, {}};
  findStaged(frame, *values, tile);
  if (tile.staged.empty() || !chooseSides(tile))
    return std::nullopt;
  limitShared(tile);
  return tile;
}
