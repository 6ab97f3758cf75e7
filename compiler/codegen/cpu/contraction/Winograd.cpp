//===- Winograd.cpp - convolutions by transformed tiles -------------------===//
#include "compiler/codegen/cpu/contraction/Winograd.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/WinogradEpilogue.h"
#include "compiler/codegen/cpu/contraction/WinogradTiles.h"
#include "compiler/codegen/cpu/contraction/WinogradTransform.h"
#include <numeric>

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

namespace {

/// Scratch memory of a tile: the lhs transformed, [products][rows][pitch], the
/// elements of it that a Winograd tile meets where some are outside,
/// [6][6][channels], and what the result needs.
struct WinogradScratch {
  Elements inputs, patch;
  WinogradEpilogue::Scratch result;
};

/// Emits one tile of the launch.
class WinogradLoops {
public:
  WinogradLoops(const WinogradPlan &plan, const WinogradBlock &block,
                const WinogradScratch &scratch, ResultReduction *reduction);

  LogicalResult emit();

private:
  void emitTile();
  void transformRow(Value row) const;
  void multiplyPanel(Value panel, Value width) const;
  void multiplyGroup(Value product, Value panel, Value column) const;

  const WinogradPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  const WinogradBlock &block;
  WinogradScratch scratch;
  Elements filter;
  WinogradSquares squares;
  WinogradEpilogue epilogue;
};

} // namespace

//===----------------------------------------------------------------------===//
// WinogradLoops
//===----------------------------------------------------------------------===//

/// The lhs, of which all channels are read at once.
static WinogradSquares::Images imagesOf(const WinogradPlan &plan) {
  WinogradSquares::Images images{
      cast<BlockArgument>(plan.contraction.lhs.value),
      plan.contraction.lhs.extents,
      kInputs,
      {},
      plan.wholeChannels(),
      plan.shape.lanes};
  for (const WindowAxis &axis : plan.windows.axes)
    images.offsets.push_back(firstElementOf(plan.frame, axis));
  return images;
}

WinogradLoops::WinogradLoops(const WinogradPlan &plan,
                             const WinogradBlock &block,
                             const WinogradScratch &scratch,
                             ResultReduction *reduction)
    : plan(plan), frame(plan.frame), builder(frame.builder), loc(frame.loc),
      ops(plan.ops), block(block), scratch(scratch),
      filter(frame.argument(
          cast<BlockArgument>(tgx::UnpackOp(plan.filter).getInput()))),
      squares(frame, imagesOf(plan), scratch.patch),
      epilogue(plan, block, scratch.result, reduction) {}

LogicalResult WinogradLoops::emit() {
  epilogue.emit([&] { emitTile(); });
  return failure(epilogue.hasFailed());
}

void WinogradLoops::emitTile() {
  Value zero = ops.constant(0), width = ops.constant(plan.shape.panelColumns);
  buildFor(builder, loc, zero, block.rowCount, 1,
           [&](Value row) { transformRow(row); });
  buildFor(builder, loc, block.firstPanel, block.endPanel, 1, [&](Value panel) {
    Value column = ops.mul(panel, width);
    Value count = ops.min(width, ops.sub(ops.constant(plan.columns), column));
    multiplyPanel(panel, count);
    epilogue.finishPanel(column, count);
  });
}

/// The elements that a Winograd tile meets, transformed.
void WinogradLoops::transformRow(Value row) const {
  Value first = ops.mul(row, ops.constant(plan.pitch()));
  squares.visit(
      winogradPlaceOf(frame, plan.tiles, ops.add(block.firstRow, row)),
      ops.constant(0), ops.constant(plan.channels),
      [&](Value channel, ValueRange square) {
        Value target = ops.add(first, channel);
        for (auto [number, value] :
             llvm::enumerate(transformInput(builder, loc, square)))
          storeElements(
              builder, loc, scratch.inputs,
              ops.add(target, ops.constant(int64_t(number) * plan.inputSize())),
              value, {plan.shape.lanes, {}});
      });
}

void WinogradLoops::multiplyPanel(Value panel, Value width) const {
  buildFor(builder, loc, ops.constant(0), ops.constant(kProducts), 1,
           [&](Value product) {
             buildFor(builder, loc, ops.constant(0), width,
                      plan.shape.groupColumns(), [&](Value column) {
                        multiplyGroup(product, panel, column);
                      });
           });
}

/// One product for all rows and a group of columns.
void WinogradLoops::multiplyGroup(Value product, Value panel,
                                  Value column) const {
  const ContractionShape &shape = plan.shape;
  Value width = ops.constant(shape.panelColumns), one = ops.constant(1);
  int64_t panels = llvm::divideCeil(plan.columns, shape.panelColumns);
  Value number = ops.add(ops.mul(product, ops.constant(panels)), panel);
  Value factors = ops.mul(ops.mul(number, ops.constant(plan.channels)), width);
  Value inputs = ops.mul(product, ops.constant(plan.inputSize())),
        sums = ops.mul(product, ops.constant(plan.sumSize()));
  KExtent k{ops.constant(plan.channels),
            std::gcd(plan.channels, tuning::kBlockUnit)};
  emitWinogradProduct(
      frame, shape,
      {{scratch.inputs, inputs, ops.constant(plan.pitch()), one},
       {filter, ops.add(factors, column), width, one},
       {scratch.result.sums, ops.add(sums, column), width, one},
       k,
       /*adds=*/false,
       WinogradNext{ops.add(factors, ops.constant(panels * plan.channels *
                                                  shape.panelColumns)),
                    int64_t(llvm::divideCeil(plan.blockRows, shape.rows))}},
      block.rowCount);
}

static WinogradScratch takeScratch(const WinogradPlan &plan,
                                   const ResultReduction *reduction) {
  MLIRContext *context = plan.frame.kernel.getContext();
  int64_t bytes = elementBytes(plan.type);
  int64_t patch = WinogradSquares::patchElements(kInputs, plan.wholeChannels());
  SmallVector<AffineExpr> sizes;
  for (int64_t elements : {kProducts * plan.inputSize(), patch})
    sizes.push_back(getAffineConstantExpr(elements * bytes, context));
  for (int64_t size : WinogradEpilogue::scratchBytes(plan, reduction))
    sizes.push_back(getAffineConstantExpr(size, context));
  SmallVector<Value> memory = plan.frame.takeScratch(sizes);
  return {{memory[0], plan.type},
          {memory[1], plan.type},
          WinogradEpilogue::makeScratch(plan, reduction,
                                        ArrayRef(memory).drop_front(2))};
}

LogicalResult tg::emitWinograd(KernelFrame &frame, Contraction contraction) {
  if (!hasWinogradWindows(frame, contraction))
    return frame.kernel.emitOpError()
           << "expected -O2, and a convolution of an argument in steps of one "
              "with known channels, for a filter that was transformed ahead";
  WinogradPlan plan(frame, std::move(contraction));
  frame.setTiles(
      [&](EntryExtents &entry) { return WinogradCounts(plan, entry).total; });
  WinogradBlock block(plan);
  std::optional<ResultReduction> reduction;
  if (plan.reductions)
    reduction.emplace(ResultReduction::Rows{frame, *plan.reductions, plan.space,
                                            plan.rows.ceilDiv(plan.rowUnit)});
  ResultReduction *some = reduction ? &*reduction : nullptr;
  return WinogradLoops(plan, block, takeScratch(plan, some), some).emit();
}
