//===- Winograd.cpp - convolutions by Winograd's algorithm ----------------===//
#include "compiler/codegen/cpu/contraction/winograd/Winograd.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradEpilogue.h"
#include "compiler/codegen/cpu/contraction/winograd/WinogradTiles.h"
#include "compiler/codegen/cpu/layout/CpuDialect.h"
#include "compiler/codegen/kernel/winograd/WinogradTransform.h"
#include <numeric>

using namespace mlir;
using namespace tg;
using namespace tg::winograd;

namespace {

/// The scratch memory of a tile: the transformed lhs, [blocks of
/// channels][products][rows][rowStride], where `rowStride` is the leading
/// dimension; a padded copy of an input tile that reaches outside of the lhs,
/// [inputs][inputs][channels]; and the memory of the epilogue. If the kernel
/// transforms the filter, also the factors of a block of channels for a panel,
/// [products][channels][columns], and transposed windows.
struct WinogradScratch {
  Elements inputs, patch, factors, windows;
  WinogradEpilogue::Scratch result;
};

/// The factors of some channels for a panel. The factors of a product begin at
/// first + product * productStride. The channels begin at `channel`; `k` holds
/// their number.
struct WinogradFactors {
  Elements elements;
  Value first, productStride, channel;
  KExtent k;
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
  void multiplyBlock(const WinogradFactors &factors, Value width) const;

  const WinogradPlan &plan;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  const WinogradBlock &block;
  WinogradScratch scratch;
  WinogradInputTiles inputTiles;
  WinogradEpilogue epilogue;
};

} // namespace

//===----------------------------------------------------------------------===//
// WinogradLoops
//===----------------------------------------------------------------------===//

/// Returns the lhs, with all channels of an input tile read at once.
static WinogradInputTiles::Images imagesOf(const WinogradPlan &plan) {
  WinogradInputTiles::Images images{
      cast<BlockArgument>(plan.contraction.lhs.value),
      plan.contraction.lhs.extents,
      plan.tile.inputs(),
      plan.tile.positions,
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
      inputTiles(frame, imagesOf(plan), scratch.patch),
      epilogue(plan, block, scratch.result, reduction) {}

LogicalResult WinogradLoops::emit() {
  epilogue.emit([&] { emitTile(); });
  return failure(epilogue.hasFailed());
}

void WinogradLoops::emitTile() {
  Value zero = ops.constant(0);
  Value width = ops.constant(plan.shape.panelColumns);
  buildFor(builder, loc, zero, block.rowCount, 1,
           [&](Value row) { transformRow(row); });
  buildFor(builder, loc, block.firstPanel, block.endPanel, 1, [&](Value panel) {
    Value column = ops.mul(panel, width);
    Value count = ops.min(width, ops.sub(ops.constant(plan.columns), column));
    multiplyPanel(panel, count);
    epilogue.finishPanel(column, count);
  });
}

/// Transforms the input tile of a row of the block.
void WinogradLoops::transformRow(Value row) const {
  Value first = ops.mul(row, ops.constant(plan.rowStride()));
  Value size = ops.constant(plan.blockChannels);
  Value blockSize = ops.constant(plan.inputBlockSize());
  inputTiles.visit(
      winogradTileIndexOf(frame, plan.tiles, ops.add(block.firstRow, row)),
      ops.constant(0), ops.constant(plan.channels),
      [&](Value channel, ValueRange inputTile) {
        Value target = ops.add(first, channel);
        if (plan.channelBlocks() > 1)
          target = ops.add(
              ops.add(first, ops.mul(ops.div(channel, size), blockSize)),
              ops.rem(channel, size));
        for (auto [product, value] :
             llvm::enumerate(plan.tile.transformInput(builder, loc, inputTile)))
          storeElements(builder, loc, scratch.inputs,
                        ops.add(target, ops.constant(int64_t(product) *
                                                     plan.inputSize())),
                        value, {plan.shape.lanes, {}});
      });
}

/// Computes the sums of a panel, over all channels at once or block by block.
void WinogradLoops::multiplyPanel(Value panel, Value width) const {
  int64_t columns = plan.shape.panelColumns;
  int64_t unit = std::gcd(plan.channels, tuning::kBlockUnit);
  Value zero = ops.constant(0);
  Value allChannels = ops.constant(plan.channels);
  if (!plan.filter) {
    tgx::UnpackOp unpack =
        plan.contraction.rhs.value.getDefiningOp<tgx::UnpackOp>();
    int64_t size = plan.channels * columns;
    Value first = ops.mul(panel, ops.constant(size));
    size *= llvm::divideCeil(plan.columns, columns);
    return multiplyBlock(
        {frame.argument(cast<BlockArgument>(unpack.getInput())),
         first,
         ops.constant(size),
         zero,
         {allChannels, unit}},
        width);
  }
  WinogradWindows windows(frame, *plan.filter, plan.tile, columns,
                          plan.shape.lanes, scratch.windows);
  Value size = ops.constant(plan.factorSize());
  Value blockChannels = ops.constant(plan.blockChannels);
  auto multiply = [&](Value channel) {
    Value count = plan.channels % plan.blockChannels == 0
                      ? blockChannels
                      : ops.min(blockChannels, ops.sub(allChannels, channel));
    windows.transform(
        {channel, count, ops.mul(panel, ops.constant(columns)), width},
        {scratch.factors, zero, size});
    multiplyBlock({scratch.factors, zero, size, channel, {count, unit}}, width);
  };
  if (plan.channelBlocks() == 1)
    return multiply(zero);
  buildFor(builder, loc, zero, allChannels, plan.blockChannels, multiply);
}

/// Computes all products of a block of channels, for all rows. The first block
/// sets the sums, and later blocks add to them.
void WinogradLoops::multiplyBlock(const WinogradFactors &factors,
                                  Value width) const {
  const ContractionShape &shape = plan.shape;
  Value zero = ops.constant(0);
  Value one = ops.constant(1);
  Value rowStride = ops.constant(plan.rowStride());
  Value columns = ops.constant(shape.panelColumns);
  Value adds;
  Value block =
      ops.mul(ops.div(factors.channel, ops.constant(plan.blockChannels)),
              ops.constant(plan.inputBlockSize()));
  if (plan.channelBlocks() > 1)
    adds = ops.compare(arith::CmpIPredicate::ne, factors.channel, zero);
  auto multiply = [&](Value product, Value column) {
    Value inputs = ops.mul(product, ops.constant(plan.inputSize()));
    Value first =
        ops.add(factors.first, ops.mul(product, factors.productStride));
    Value sums = ops.mul(product, ops.constant(plan.sumSize()));
    std::optional<WinogradNext> next;
    if (!plan.filter)
      next = {ops.add(first, factors.productStride),
              int64_t(llvm::divideCeil(plan.blockRows, shape.rows))};
    emitWinogradProduct(
        frame, shape,
        {{scratch.inputs, ops.add(block, inputs), rowStride, one},
         {factors.elements, ops.add(first, column), columns, one},
         {scratch.result.sums, ops.add(sums, column), columns, one},
         factors.k,
         adds,
         next},
        this->block.rowCount);
  };
  buildFor(builder, loc, zero, ops.constant(plan.tile.products()), 1,
           [&](Value product) {
             buildFor(builder, loc, zero, width, shape.registerColumns(),
                      [&](Value column) { multiply(product, column); });
           });
}

static WinogradScratch takeScratch(const WinogradPlan &plan,
                                   const ResultReduction *reduction) {
  MLIRContext *context = plan.frame.kernel.getContext();
  int64_t bytes = elementBytes(plan.type);
  int64_t factors = 0;
  int64_t windows = 0;
  if (plan.filter) {
    factors = plan.tile.products() * plan.factorSize();
    windows = WinogradWindows::scratchElements(
        *plan.filter, plan.shape.panelColumns, plan.shape.lanes);
  }
  SmallVector<AffineExpr> sizes;
  for (int64_t elements : {plan.channelBlocks() * plan.inputBlockSize(),
                           WinogradInputTiles::patchElements(
                               plan.tile.inputs(), plan.wholeChannels()),
                           factors, windows})
    sizes.push_back(getAffineConstantExpr(elements * bytes, context));
  for (int64_t size : WinogradEpilogue::scratchBytes(plan, reduction))
    sizes.push_back(getAffineConstantExpr(size, context));
  SmallVector<Value> memory = plan.frame.takeScratch(sizes);
  auto elements = [&](unsigned buffer) {
    return Elements{memory[buffer], plan.type};
  };
  return {elements(0), elements(1), elements(2), elements(3),
          WinogradEpilogue::makeScratch(plan, reduction,
                                        ArrayRef(memory).drop_front(4))};
}

StringRef WinogradContraction::findUnmetRequirement(
    const ContractionRequest &request, const TargetDescription &target) const {
  const Contraction &contraction = request.contraction;
  if (!request.readsLhs || !request.readsRhs)
    return "operands in memory";
  if (request.layout &&
      cast<cpu::PanelsAttr>(request.layout).getWinograd() != tile.positions)
    return "a filter that was transformed for tiles of this size";
  if (isConvolution(contraction)) {
    int64_t size = tile.positions;
    bool fits = request.reducesTiles({size, size}, tuning::kNarrowRows) &&
                request.rowOrder.getLines()[0] <= tuning::kMaxWinogradRows;
    return !request.rowOrder || fits
               ? ""
               : "reductions over the tiles of the convolution, in blocks of "
                 "whole register tiles";
  }
  if (!isFilterGradient(contraction) || request.layout)
    return "a 3x3 convolution with stride 1 and static channels, or a gradient "
           "of one,";
  return request.rowOrder ? "no reductions next to the gradient of a filter"
                          : "";
}

LogicalResult WinogradContraction::emit(KernelFrame &frame,
                                        Contraction contraction) const {
  frame.target.usesVectors = true;
  frame.target.panelBytes = tuning::kPanelBytes;
  if (isFilterGradient(contraction))
    return emitWinogradGradient(frame, std::move(contraction), tile);
  WinogradPlan plan(frame, std::move(contraction), tile);
  frame.setTiles(
      [&](EntryExtents &entry) { return WinogradCounts(plan, entry).total; });
  WinogradBlock block(plan);
  std::optional<ResultReduction> reduction;
  if (plan.reductions)
    reduction.emplace(ResultReduction::Rows{frame, *plan.reductions, plan.space,
                                            plan.rows.ceilDiv(plan.rowUnit)});
  ResultReduction *reductionOrNull = reduction ? &*reduction : nullptr;
  return WinogradLoops(plan, block, takeScratch(plan, reductionOrNull),
                       reductionOrNull)
      .emit();
}
