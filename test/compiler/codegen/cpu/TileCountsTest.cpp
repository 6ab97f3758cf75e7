//===- TileCountsTest.cpp - distribution of tiles to workers --------------===//
#include "compiler/codegen/Backend.h"
#include "compiler/codegen/cpu/contraction/gemm/ContractionShape.h"
#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tg;

namespace {

/// A product of one matrix whose rhs is packed ahead into panels of 64 columns.
class PackedProduct {
public:
  PackedProduct(int64_t m, int64_t k, int64_t n, int64_t workers)
      : m(m), k(k), n(n), workers(workers) {
    context.loadDialect<arith::ArithDialect>();
  }

  /// Returns the fraction of the multiplications that the busiest worker
  /// computes.
  double loadOfBusiest() {
    return maximum(productsOfWorkers()) / double(m * n);
  }
  /// Returns the numbers of rows and columns of the result that the first
  /// worker covers.
  std::pair<int64_t, int64_t> extentsOfFirstWorker();

private:
  struct Range {
    int64_t begin, end;
    int64_t size() const { return end - begin; }
  };
  struct Tile {
    Range rows, columns;
  };

  static double maximum(const std::vector<double> &numbers) {
    return *std::max_element(numbers.begin(), numbers.end());
  }
  std::vector<std::vector<Tile>> tilesOfWorkers();
  std::vector<double> productsOfWorkers();

  MLIRContext context;
  int64_t m, k, n, workers;
};

} // namespace

/// Returns the tiles of each worker, contiguous as the thread pool assigns
/// them.
std::vector<std::vector<PackedProduct::Tile>> PackedProduct::tilesOfWorkers() {
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  IntegerOps ops(builder, loc);
  auto extent = [&](int64_t size) {
    return getAffineConstantExpr(size, &context);
  };
  TargetDescription target =
      findBackend("cpu")->describe({/*level=*/4, /*optimization=*/2, ""});
  ContractionShape shape(target, /*elementBytes=*/4, extent(m), extent(n),
                         extent(k), {/*packedWidth=*/64, {}});
  TileCounts counts(ops, shape, ops.constant(1),
                    {ops.constant(m), ops.constant(n), ops.constant(k)},
                    ops.constant(workers), /*rhsIsPacked=*/true);
  auto number = [](Value value) { return *constantNumber(value); };
  auto rangeOf = [&](Value index, Value units, Value parts, int64_t size,
                     int64_t end) -> Range {
    auto beginOf = [&](int64_t part) {
      return std::min(end, part * number(units) / number(parts) * size);
    };
    return {beginOf(number(index)), beginOf(number(index) + 1)};
  };
  int64_t total = number(counts.total);
  std::vector<std::vector<Tile>> tiles(workers);
  for (int64_t tile = 0; tile < total; ++tile) {
    auto [row, column] = counts.split(ops, ops.constant(tile));
    // The first tile of worker w is w * total / workers.
    int64_t worker = ((tile + 1) * workers - 1) / total;
    tiles[worker].push_back(
        {rangeOf(row, counts.rowUnits, counts.alongRows, shape.rowUnit, m),
         rangeOf(column, counts.panels, counts.alongColumns, shape.panelColumns,
                 n)});
  }
  return tiles;
}

std::vector<double> PackedProduct::productsOfWorkers() {
  std::vector<double> sums;
  for (const std::vector<Tile> &tiles : tilesOfWorkers()) {
    sums.push_back(0);
    for (const Tile &tile : tiles)
      sums.back() += double(tile.rows.size() * tile.columns.size());
  }
  return sums;
}

std::pair<int64_t, int64_t> PackedProduct::extentsOfFirstWorker() {
  std::vector<Tile> tiles = tilesOfWorkers().front();
  Range rows = tiles.front().rows;
  Range columns = tiles.front().columns;
  for (const Tile &tile : tiles) {
    rows = {std::min(rows.begin, tile.rows.begin),
            std::max(rows.end, tile.rows.end)};
    columns = {std::min(columns.begin, tile.columns.begin),
               std::max(columns.end, tile.columns.end)};
  }
  return {rows.size(), columns.size()};
}

/// Two workers divide five panels more evenly than into three and two, because
/// rows are divided, too.
TEST(TileCounts, UnevenPanels) {
  EXPECT_LE(PackedProduct(49, 960, 320, 2).loadOfBusiest(), 0.53);
  EXPECT_LE(PackedProduct(49, 160, 960, 2).loadOfBusiest(), 0.53);
  EXPECT_LE(PackedProduct(49, 576, 160, 2).loadOfBusiest(), 0.65);
  EXPECT_LE(PackedProduct(196, 96, 576, 2).loadOfBusiest(), 0.53);
  EXPECT_LE(PackedProduct(784, 128, 512, 3).loadOfBusiest(), 0.36);
}

/// Each worker reads its own columns of a large rhs, or its own rows of a large
/// lhs.
TEST(TileCounts, DividesTheLargerOperand) {
  EXPECT_EQ(PackedProduct(49, 320, 1280, 2).extentsOfFirstWorker(),
            std::pair(int64_t(49), int64_t(640)));
  EXPECT_EQ(PackedProduct(196, 96, 576, 2).extentsOfFirstWorker(),
            std::pair(int64_t(96), int64_t(576)));
}

TEST(TileCounts, SmallProductsUseOneWorker) {
  EXPECT_EQ(PackedProduct(4, 16, 64, 2).loadOfBusiest(), 1);
}
