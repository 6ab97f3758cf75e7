//===- PlanarLines.cpp - lines of a lhs, channel by channel ---------------===//
#include "compiler/codegen/cpu/contraction/grouped/PlanarLines.h"
#include "compiler/codegen/cpu/contraction/gemm/PanelPacking.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tg;

SmallVector<AffineExpr> PlanarLines::bytesOf(const FewChannelPlan &plan) {
  const FewChannelSizes &sizes = plan.sizes;
  MLIRContext *context = plan.type.getContext();
  return {getAffineConstantExpr(sizes.copiedLines * sizes.copiedLineElements() *
                                    int64_t(elementBytes(plan.type)),
                                context),
          getAffineConstantExpr(sizes.copiedLines * int64_t(sizeof(int64_t)),
                                context)};
}

void PlanarLines::clear() const {
  const FewChannelSizes &sizes = plan.sizes;
  fillRow(frame, lines, ops.constant(0),
          ops.constant(sizes.copiedLines * sizes.copiedLineElements()),
          sizes.lanes);
  buildFor(frame.builder, frame.loc, ops.constant(0),
           ops.constant(sizes.copiedLines), 1, [&](Value slot) {
             storeElements(frame.builder, frame.loc, slotSources, slot,
                           ops.constant(-1), {});
           });
}

void PlanarLines::fetch(Value source, Value slot) const {
  OpBuilder &builder = frame.builder;
  Value heldSource = loadElements(builder, frame.loc, slotSources, slot, {});
  Value isOther = ops.compare(arith::CmpIPredicate::ne, heldSource, source);
  auto branch = scf::IfOp::create(builder, frame.loc, isOther,
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  storeElements(builder, frame.loc, slotSources, slot, source, {});
  copy(source, ops.mul(slot, ops.constant(plan.sizes.copiedLineElements())));
}

/// Copies the elements of a line that its copy has room for.
void PlanarLines::copy(Value source, Value target) const {
  const FewChannelSizes &sizes = plan.sizes;
  int64_t first = std::max<int64_t>(0, sizes.origin);
  int64_t count =
      std::min(sizes.lineElements, sizes.origin + sizes.rowStride) - first;
  unsigned axis = sizes.taps.size();
  source =
      ops.add(source, ops.mul(ops.constant(first), plan.strideOfLhs(axis)));
  target = ops.add(target, ops.constant(first - sizes.origin));
  bool isDense = constantNumber(plan.strideOfLhs(axis)) == sizes.channels;
  bool hasBlocks = isDense || sizes.channels >= sizes.lanes;
  if (count >= sizes.lanes && hasBlocks)
    return copyBlocks(source, target, count);
  copyElementwise(source, target, count);
}

/// Copies blocks of one vector's length. If the last block would be shorter, it
/// begins earlier and overlaps the block before.
void PlanarLines::copyBlocks(Value source, Value target, int64_t count) const {
  int64_t lanes = plan.sizes.lanes;
  Value stride = plan.strideOfLhs(plan.sizes.taps.size());
  auto copyAt = [&](Value element) {
    copyBlock(ops.add(source, ops.mul(element, stride)),
              ops.add(target, element));
  };
  buildFor(frame.builder, frame.loc, ops.constant(0),
           ops.constant(count / lanes * lanes), lanes, copyAt);
  if (count % lanes)
    copyAt(ops.constant(count - lanes));
}

void PlanarLines::copyBlock(Value source, Value target) const {
  int64_t lanes = plan.sizes.lanes, channels = plan.sizes.channels;
  if (channels < lanes)
    return deinterleaveBlock(source, target);
  buildFor(frame.builder, frame.loc, ops.constant(0),
           ops.constant(channels / lanes * lanes), lanes,
           [&](Value channel) { transposeBlock(source, target, channel); });
  if (channels % lanes)
    transposeBlock(source, target, ops.constant(channels - lanes));
}

/// Transposes a block with one vector of channels, from `channel` on.
void PlanarLines::transposeBlock(Value source, Value target,
                                 Value channel) const {
  int64_t lanes = plan.sizes.lanes;
  Value stride = plan.strideOfLhs(plan.sizes.taps.size());
  SmallVector<Value> block;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value offset =
        ops.add(ops.add(source, channel), ops.mul(ops.constant(lane), stride));
    block.push_back(loadElements(
        frame.builder, frame.loc,
        frame.argument(cast<BlockArgument>(plan.contraction.lhs.value)), offset,
        {unsigned(lanes), {}}));
  }
  tg::transposeBlock(frame.builder, frame.loc, block);
  for (auto [lane, values] : llvm::enumerate(block)) {
    Value row = ops.add(channel, ops.constant(lane));
    storeElements(
        frame.builder, frame.loc, lines,
        ops.add(target, ops.mul(row, ops.constant(plan.sizes.rowStride))),
        values, {unsigned(lanes), {}});
  }
}

/// Copies a block of all channels, if there are fewer channels than lanes.
/// Shuffles collect the elements of each channel from the loaded vectors.
void PlanarLines::deinterleaveBlock(Value source, Value target) const {
  int64_t lanes = plan.sizes.lanes, channels = plan.sizes.channels;
  OpBuilder &builder = frame.builder;
  SmallVector<Value> loadedVectors;
  for (int64_t loaded = 0; loaded < channels; ++loaded)
    loadedVectors.push_back(loadElements(
        builder, frame.loc,
        frame.argument(cast<BlockArgument>(plan.contraction.lhs.value)),
        ops.add(source, ops.constant(loaded * lanes)), {unsigned(lanes), {}}));
  for (int64_t channel = 0; channel < channels; ++channel) {
    Value values = loadedVectors[0];
    for (auto [index, loaded] : llvm::enumerate(loadedVectors)) {
      SmallVector<int64_t> sources;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        int64_t sourceLane = lane * channels + channel - int64_t(index) * lanes;
        sources.push_back(
            sourceLane >= 0 && sourceLane < lanes ? lanes + sourceLane : lane);
      }
      if (channels > 1)
        values = vector::ShuffleOp::create(builder, frame.loc, values, loaded,
                                           sources);
    }
    storeElements(builder, frame.loc, lines,
                  ops.add(target, ops.constant(channel * plan.sizes.rowStride)),
                  values, {unsigned(lanes), {}});
  }
}

void PlanarLines::copyElementwise(Value source, Value target,
                                  int64_t count) const {
  OpBuilder &builder = frame.builder;
  const FewChannelSizes &sizes = plan.sizes;
  Value stride = plan.strideOfLhs(sizes.taps.size());
  Elements lhs =
      frame.argument(cast<BlockArgument>(plan.contraction.lhs.value));
  Value zero = ops.constant(0);
  Value channels = ops.constant(sizes.channels);
  auto copyOne = [&](Value element, Value channel) {
    Value from = ops.add(source, ops.add(ops.mul(element, stride), channel));
    Value to =
        ops.add(ops.mul(channel, ops.constant(sizes.rowStride)), element);
    storeElements(builder, frame.loc, lines, ops.add(target, to),
                  loadElements(builder, frame.loc, lhs, from, {}), {});
  };
  buildFor(builder, frame.loc, zero, ops.constant(count), 1,
           [&](Value element) {
             buildFor(builder, frame.loc, zero, channels, 1,
                      [&](Value channel) { copyOne(element, channel); });
           });
}
