//===- GroupedPlan.cpp - contractions with groups of channels -------------===//
#include "compiler/codegen/cpu/contraction/grouped/GroupedPlan.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

std::optional<GroupedLanes> GroupedLanes::find(const Contraction &contraction,
                                               unsigned lanes) {
  if (std::optional<GroupedWindows> groups = contraction.findGroupedWindows())
    return GroupedLanes{*groups};
  std::optional<WindowedLhs> windows = contraction.findWindows();
  if (!windows || contraction.isMatrixProduct() ||
      contraction.dimensions[windows->outer].kind != DimensionKind::reduced)
    return std::nullopt;
  std::optional<int64_t> channels =
      staticExtent(contraction.lhs.extents.back());
  std::optional<int64_t> columns =
      staticExtent(contraction.result.extents.back());
  if (!channels || !columns || *columns < 1 || *columns * 2 > lanes ||
      *channels * 2 < lanes)
    return std::nullopt;
  unsigned column = contraction.dimensionsOf(DimensionKind::column).front();
  // The lanes run over the channels of the lhs. Each of them is a group with
  // one lane, and the columns of the result are the channels of each group.
  return GroupedLanes{{*windows, windows->channel, column,
                       /*channels=*/*columns, /*columns=*/1},
                      /*sharesRhs=*/true};
}

static LaneAccess chooseAccess(const GroupedLanes &chosen, unsigned lanes) {
  const GroupedWindows &groups = chosen.groups;
  if (chosen.sharesRhs || (groups.channels == 1 && groups.columns == 1))
    return LaneAccess::same;
  return groups.columns < lanes && lanes % groups.columns == 0
             ? LaneAccess::pattern
             : LaneAccess::broadcast;
}

/// Returns the number of channels for which the lines of the lhs that a window
/// reads stay in L1.
static int64_t chunkOf(const GroupedPlan &plan) {
  const ContractionTensor &lhs = plan.contraction.lhs;
  int64_t lines = plan.taps.size() > 1 ? plan.taps[plan.taps.size() - 2] : 1;
  std::optional<int64_t> width =
      staticExtent(lhs.extents[lhs.extents.size() - 2]);
  int64_t bytes =
      lines * std::max<int64_t>(1, width.value_or(1)) * elementBytes(plan.type);
  int64_t channels = plan.frame.target.l1Bytes / bytes * plan.groups.columns /
                     plan.groups.channels;
  int64_t unit = int64_t(plan.lanes) * tuning::kMinGroupedVectors;
  return std::max(unit, channels / unit * unit);
}

GroupedPlan::GroupedPlan(KernelFrame &frame, Contraction product,
                         const GroupedLanes &chosen)
    : frame(frame), contraction(std::move(product)), groups(chosen.groups),
      sharesRhs(chosen.sharesRhs), type(contraction.accumulator),
      lanes(chooseLanes(frame.kernel, frame.target)),
      access(chooseAccess(chosen, lanes)),
      laneChannels(
          (sharesRhs ? contraction.lhs : contraction.result).extents.back()),
      ops(frame.builder, frame.loc) {
  for (const WindowAxis &axis : groups.windows.axes)
    taps.push_back(*staticExtent(contraction.dimensions[axis.tap].extent));
  int64_t channelCount = *staticExtent(laneChannels);
  sectionChannels =
      access == LaneAccess::broadcast ? groups.columns : channelCount;
  sections = access == LaneAccess::broadcast
                 ? *staticExtent(contraction.dimensions[groups.group].extent)
                 : 1;
  chunk = std::clamp<int64_t>(sectionChannels, 1, chunkOf(*this));
}

int64_t GroupedPlan::countChunks() const {
  return sections * llvm::divideCeil(sectionChannels, chunk);
}

Value GroupedPlan::strideOf(const ContractionTensor &tensor,
                            unsigned axis) const {
  return frame.extent(productOf(ArrayRef(tensor.extents).drop_front(axis + 1),
                                type.getContext()));
}

std::pair<Value, Value> tg::channelsOf(const GroupedPlan &plan, Value chunk) {
  IntegerOps ops = plan.ops;
  Value perSection =
      ops.constant(llvm::divideCeil(plan.sectionChannels, plan.chunk));
  Value size = ops.constant(plan.chunk);
  Value channels = ops.constant(plan.sectionChannels);
  Value section = ops.div(chunk, perSection);
  Value begin = ops.mul(ops.rem(chunk, perSection), size);
  Value end = ops.min(channels, ops.add(begin, size));
  Value first = ops.mul(section, channels);
  return {ops.add(first, begin), ops.add(first, end)};
}

void tg::forEachChannelVector(const GroupedPlan &plan, ElementEmitter &elements,
                              Value begin, Value end,
                              function_ref<void(const ChannelVector &)> build) {
  IntegerOps ops = plan.ops;
  auto step = [&](Value first, unsigned lanes, unsigned) {
    Value group = ops.div(first, ops.constant(plan.groups.columns));
    Value lhsFirst = plan.access == LaneAccess::same
                         ? first
                         : ops.mul(group, ops.constant(plan.groups.channels));
    build({first, lhsFirst, lanes, lanes > 1 ? elements.mask : Value()});
    return success();
  };
  (void)emitVectorLoop(elements, begin, end, plan.lanes, /*unroll=*/1, step,
                       plan.hasWholeVectors() ? plan.lanes : 1);
}

/// Loads lane l from channel l / columns * channels after `offset`, by loads of
/// contiguous elements and shuffles.
static Value loadPattern(const GroupedPlan &plan, const Elements &lhs,
                         const ChannelVector &vector, Value offset,
                         Value channel) {
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  IntegerOps ops = plan.ops;
  int64_t lanes = vector.lanes, columns = plan.groups.columns,
          channels = plan.groups.channels;
  int64_t span = (lanes / columns - 1) * channels + 1;
  Value remaining = ops.constant(span);
  if (vector.mask) {
    Value all = plan.frame.extent(plan.contraction.lhs.extents.back());
    remaining = ops.sub(all, ops.add(vector.lhsFirst, channel));
  }
  // If a group has equal numbers of channels and columns, the channels of all
  // groups of the lanes fill one vector. One load of this vector serves all
  // values of `channel`: a shuffle picks the channel for each lane. A shuffle
  // needs a constant `channel`.
  std::optional<int64_t> shift = constantNumber(channel);
  if (shift && channels == columns && !vector.mask) {
    Value all = loadElements(builder, loc, lhs, ops.sub(offset, channel),
                             {vector.lanes, {}});
    SmallVector<int64_t> sources;
    for (int64_t lane = 0; lane < lanes; ++lane)
      sources.push_back(lane / columns * channels + *shift);
    return vector::ShuffleOp::create(builder, loc, all, all, sources);
  }
  Value result;
  for (int64_t first = 0; first < span; first += lanes) {
    Value begin = ops.constant(first);
    Value mask;
    if (vector.mask || first + lanes > span)
      mask = buildMask(builder, loc, begin, remaining, lanes);
    Value loaded = loadElements(builder, loc, lhs, ops.add(offset, begin),
                                {vector.lanes, mask});
    SmallVector<int64_t> sources;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      int64_t source = lane / columns * channels - first;
      bool isLoaded = source >= 0 && source < lanes;
      sources.push_back(isLoaded ? lanes + source : lane);
    }
    result = vector::ShuffleOp::create(builder, loc, result ? result : loaded,
                                       loaded, sources);
  }
  return result;
}

Value tg::loadLanes(const GroupedPlan &plan, const ChannelVector &vector,
                    Value offset, Value channel) {
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  Elements lhs =
      plan.frame.argument(cast<BlockArgument>(plan.contraction.lhs.value));
  Value element = plan.ops.add(plan.ops.add(offset, vector.lhsFirst), channel);
  if (plan.access == LaneAccess::same)
    return loadElements(builder, loc, lhs, element,
                        {vector.lanes, vector.mask});
  if (plan.access == LaneAccess::pattern && vector.lanes > 1)
    return loadPattern(plan, lhs, vector, element, channel);
  return splatTo(builder, loc, loadElements(builder, loc, lhs, element, {}),
                 vector.lanes);
}

Value tg::multiplyAdd(const GroupedPlan &plan, Value lhs, Value rhs,
                      Value sum) {
  return LLVM::FMulAddOp::create(plan.frame.builder, plan.frame.loc, lhs, rhs,
                                 sum);
}

Value tg::buildZero(const GroupedPlan &plan, unsigned lanes) {
  OpBuilder &builder = plan.frame.builder;
  Type type = plan.type;
  if (lanes > 1)
    type = VectorType::get({int64_t(lanes)}, type);
  return arith::ConstantOp::create(builder, plan.frame.loc,
                                   builder.getZeroAttr(type));
}

Value tg::loadPresent(const GroupedPlan &plan, const LineTile &tile,
                      int64_t distance, unsigned lanes,
                      function_ref<Value(Value element)> load) {
  OpBuilder &builder = plan.frame.builder;
  Location loc = plan.frame.loc;
  Presence presence = tile.presenceOf(distance);
  if (presence == Presence::outside)
    return {};
  Value element = tile.elementAt(plan.ops, distance);
  if (presence == Presence::inside)
    return load(element);
  // Compared as unsigned numbers, negative indices are large.
  Value isInside =
      plan.ops.compare(arith::CmpIPredicate::ult, element, tile.extent);
  Value zero = buildZero(plan, lanes);
  auto branch = scf::IfOp::create(builder, loc, zero.getType(), isInside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, zero);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value value = load(element);
  scf::YieldOp::create(builder, loc, value);
  return branch.getResult(0);
}
