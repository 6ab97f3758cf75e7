//===- FewChannelContraction.cpp - convolutions to few channels -----------===//
#include "compiler/codegen/cpu/contraction/grouped/FewChannelContraction.h"
#include "compiler/codegen/cpu/Tuning.h"
#include "compiler/codegen/cpu/contraction/gemm/ResultReduction.h"
#include "compiler/codegen/cpu/contraction/grouped/PlanarLines.h"
#include "compiler/codegen/cpu/contraction/window/WindowTile.h"
#include "compiler/codegen/cpu/elementwise/VectorLoop.h"
#include "compiler/codegen/kernel/sums/ProductBlocks.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tg;

namespace {

/// The scratch memory of a tile of the launch: lines of sums, and outputs in
/// the order in which they are computed, column by column.
struct FewChannelScratch {
  /// The sums of one phase, and the sums of the whole line.
  Elements phase, line;
  /// One vector for each output and column.
  Value outputs;
};

/// Emits one tile of the launch.
class FewChannelEmitter {
public:
  FewChannelEmitter(const FewChannelPlan &plan, const FewChannelCounts &counts,
                    const FewChannelScratch &scratch,
                    const PlanarLines &copies);

  LogicalResult emit();

private:
  /// Returns line `index` of the result.
  ResultLine lineAt(Value number) const;
  void fetch(const ResultLine &line, unsigned axis, Value source,
             Value slot) const;
  std::pair<Value, Value> lineOfStep(const ResultLine &line, unsigned axis,
                                     Value step, Value source,
                                     Value slot) const;
  void emitLine(const ResultLine &line);
  void emitPhase(const ResultLine &line, const LinePhase &phase);
  SmallVector<Value> sumOuter(const ResultLine &line, const LinePhase &phase,
                              unsigned axis, Value first, Value slot,
                              Value filterOffset, ValueRange sums) const;
  SmallVector<Value> sumTaps(const LinePhase &phase, Value lhs,
                             Value filterOffset, ValueRange sums) const;
  SmallVector<Value> multiply(Value lhs, Value factors, ValueRange sums) const;
  void scatterPhase(const LinePhase &phase) const;
  void finish(const ResultLine &line);
  void finishVector(const ResultLine &line, Value first, unsigned lanes,
                    Value end);
  Elements outputMemory(unsigned output, int64_t column) const;

  const FewChannelPlan &plan;
  const FewChannelSizes &sizes;
  KernelFrame &frame;
  OpBuilder &builder;
  Location loc;
  IntegerOps ops;
  FewChannelCounts counts;
  FewChannelScratch scratch;
  const PlanarLines &copies;
  SmallVector<LinePhase> phases;
  unsigned vectors, epilogueLanes;
  ElementEmitter elements;
};

} // namespace

//===----------------------------------------------------------------------===//
// Tiles of the launch
//===----------------------------------------------------------------------===//

FewChannelEmitter::FewChannelEmitter(const FewChannelPlan &plan,
                                     const FewChannelCounts &counts,
                                     const FewChannelScratch &scratch,
                                     const PlanarLines &copies)
    : plan(plan), sizes(plan.sizes), frame(plan.frame), builder(frame.builder),
      loc(frame.loc), ops(plan.ops), counts(counts), scratch(scratch),
      copies(copies), epilogueLanes(chooseLanes(frame.kernel, frame.target)),
      elements(frame) {
  phases = findPhases(frame, sizes.lineAxis(), sizes.taps.back(),
                      ops.constant(sizes.linePositions));
  vectors =
      sizes.vectorsOf(frame.target, llvm::divideCeil(sizes.linePositions,
                                                     sizes.lineAxis().divisor));
}

LogicalResult FewChannelEmitter::emit() {
  copies.clear();
  auto beginOf = [&](Value tile) {
    return ops.div(ops.mul(tile, counts.lines), counts.tiles);
  };
  Value next = ops.add(frame.tile, ops.constant(1));
  buildFor(builder, loc, beginOf(frame.tile), beginOf(next), 1,
           [&](Value line) { emitLine(lineAt(line)); });
  return failure(elements.hasFailed());
}

ResultLine FewChannelEmitter::lineAt(Value number) const {
  return findLine(frame, plan.contraction, sizes.windows, sizes.taps,
                  plan.strideOfLhs(0), number);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Returns the lhs line that a step along an axis reads: its offset in the lhs,
/// and its slot among the copies. Each plane has a ring buffer of lines, in
/// which the index of a line determines its slot.
std::pair<Value, Value> FewChannelEmitter::lineOfStep(const ResultLine &line,
                                                      unsigned axis, Value step,
                                                      Value source,
                                                      Value slot) const {
  const TapRange &range = line.ranges[axis];
  Value element = ops.add(range.firstElement,
                          ops.mul(step, ops.constant(range.elementStep)));
  bool isRing = axis + 1 == line.ranges.size();
  int64_t slotCount = isRing ? sizes.ringLines : sizes.taps[axis];
  Value ownSlot = isRing ? ops.rem(element, ops.constant(slotCount)) : step;
  return {ops.add(source, ops.mul(element, plan.strideOfLhs(axis + 1))),
          ops.add(ops.mul(slot, ops.constant(slotCount)), ownSlot)};
}

/// Copies the lines that all taps of the axes from `axis` on read.
void FewChannelEmitter::fetch(const ResultLine &line, unsigned axis,
                              Value source, Value slot) const {
  if (axis == line.ranges.size())
    return copies.fetch(source, slot);
  const TapRange &range = line.ranges[axis];
  buildFor(builder, loc, range.begin, range.end, 1, [&](Value step) {
    auto [from, to] = lineOfStep(line, axis, step, source, slot);
    fetch(line, axis + 1, from, to);
  });
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void FewChannelEmitter::emitLine(const ResultLine &line) {
  fetch(line, /*axis=*/0, line.lhsBegin, ops.constant(0));
  for (const LinePhase &phase : phases)
    emitPhase(line, phase);
  finish(line);
}

/// Computes the sums of all positions of a phase. The last register tile also
/// computes sums past the last position, which nothing reads.
void FewChannelEmitter::emitPhase(const ResultLine &line,
                                  const LinePhase &phase) {
  Value zero = ops.constant(0);
  Value zeros = splatTo(
      builder, loc,
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(plan.type)),
      sizes.lanes);
  bool isWhole = phases.size() == 1;
  const Elements &target = isWhole ? scratch.line : scratch.phase;
  auto emitTile = [&](Value first) {
    SmallVector<Value> sums(sizes.columns * vectors, zeros);
    sums = sumOuter(line, phase, /*axis=*/0, first, zero, zero, sums);
    for (auto [sumIndex, sum] : llvm::enumerate(sums)) {
      int64_t offset = int64_t(sumIndex / vectors) * sizes.paddedLineLength() +
                       int64_t(sumIndex % vectors) * sizes.lanes;
      storeElements(builder, loc, target, ops.add(first, ops.constant(offset)),
                    sum, {sizes.lanes, {}});
    }
  };
  buildFor(builder, loc, zero, phase.count, int64_t(vectors) * sizes.lanes,
           emitTile);
  if (!isWhole)
    scatterPhase(phase);
}

/// Sums over the taps of the axes from `axis` on, one loop for each axis.
SmallVector<Value> FewChannelEmitter::sumOuter(const ResultLine &line,
                                               const LinePhase &phase,
                                               unsigned axis, Value first,
                                               Value slot, Value filterOffset,
                                               ValueRange sums) const {
  if (axis == line.ranges.size()) {
    Value begin =
        ops.sub(ops.add(first, phase.firstElement), ops.constant(sizes.origin));
    Value lineBegin = ops.mul(slot, ops.constant(sizes.copiedLineElements()));
    return sumTaps(phase, ops.add(begin, lineBegin), filterOffset, sums);
  }
  const TapRange &range = line.ranges[axis];
  return emitCarryLoop(
      frame, range.begin, range.end, 1, sums,
      [&](Value step, ValueRange carried) {
        Value to = lineOfStep(line, axis, step, ops.constant(0), slot).second;
        Value tap =
            ops.add(range.firstTap, ops.mul(step, ops.constant(range.tapStep)));
        return sumOuter(
            line, phase, axis + 1, first, to,
            ops.add(filterOffset, ops.mul(tap, plan.tapStrides[axis])),
            carried);
      });
}

/// Sums over the taps along the line in their order in the op and, for each
/// tap, over all channels.
SmallVector<Value> FewChannelEmitter::sumTaps(const LinePhase &phase, Value lhs,
                                              Value filterOffset,
                                              ValueRange start) const {
  SmallVector<Value> sums(start);
  SmallVector<LinePhase::Tap> taps(phase.taps);
  llvm::sort(taps, [](const LinePhase::Tap &one, const LinePhase::Tap &other) {
    return one.index < other.index;
  });
  int64_t unrolled = tuning::kUnrolledSteps;
  while (sizes.channels % unrolled)
    --unrolled;
  for (const LinePhase::Tap &tap : taps) {
    Value from = ops.add(lhs, ops.constant(tap.shift));
    Value factors = ops.add(
        filterOffset, ops.mul(ops.constant(tap.index), plan.tapStrides.back()));
    auto multiplyChannels = [&](Value first, ValueRange carried) {
      SmallVector<Value> next(carried);
      for (int64_t number = 0; number < unrolled; ++number) {
        Value channel = ops.add(first, ops.constant(number));
        Value row = ops.mul(channel, ops.constant(sizes.rowStride));
        Value factor = ops.mul(channel, plan.channelStride);
        next = multiply(ops.add(from, row), ops.add(factors, factor), next);
      }
      return next;
    };
    sums = emitCarryLoop(frame, ops.constant(0), ops.constant(sizes.channels),
                         unrolled, sums, multiplyChannels);
  }
  return sums;
}

/// Adds the products of a tap and a channel.
SmallVector<Value> FewChannelEmitter::multiply(Value lhs, Value factors,
                                               ValueRange start) const {
  SmallVector<Value> sums(start), row;
  for (unsigned vector = 0; vector < vectors; ++vector)
    row.push_back(
        loadElements(builder, loc, copies.memory(),
                     ops.add(lhs, ops.constant(int64_t(vector) * sizes.lanes)),
                     {sizes.lanes, {}}));
  for (int64_t column = 0; column < sizes.columns; ++column) {
    Value offset =
        ops.add(factors, ops.mul(ops.constant(column), plan.columnStride));
    Value element = splatTo(builder, loc,
                            loadElements(builder, loc, plan.filter, offset, {}),
                            sizes.lanes);
    for (unsigned vector = 0; vector < vectors; ++vector) {
      Value &sum = sums[column * vectors + vector];
      sum = LLVM::FMulAddOp::create(builder, loc, element, row[vector], sum);
    }
  }
  return sums;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

/// Stores the sums of a phase at their positions in the line, between the sums
/// of other phases.
void FewChannelEmitter::scatterPhase(const LinePhase &phase) const {
  buildFor(builder, loc, ops.constant(0), phase.count, 1, [&](Value index) {
    Value position = phase.positionOf(ops, index);
    for (int64_t column = 0; column < sizes.columns; ++column) {
      Value row = ops.constant(column * sizes.paddedLineLength());
      Value sum =
          loadElements(builder, loc, scratch.phase, ops.add(row, index), {});
      storeElements(builder, loc, scratch.line, ops.add(row, position), sum,
                    {});
    }
  });
}

/// Computes the outputs from the sums of a line, and stores them.
void FewChannelEmitter::finish(const ResultLine &line) {
  Value end = ops.constant(sizes.linePositions);
  auto step = [&](Value first, unsigned lanes, unsigned) {
    finishVector(line, first, lanes, end);
    return success();
  };
  (void)emitVectorLoop(elements, ops.constant(0), end, epilogueLanes,
                       /*unroll=*/1, step, sizes.linePositions);
}

Elements FewChannelEmitter::outputMemory(unsigned output,
                                         int64_t column) const {
  int64_t index = int64_t(output) * sizes.columns + column;
  Elements bytes{scratch.outputs, builder.getIntegerType(8)};
  Value begin = ops.constant(index * epilogueLanes * int64_t(sizeof(double)));
  return {addressOf(builder, loc, bytes, begin),
          frame.output(output).elementType};
}

/// Computes the outputs of neighbouring positions, column by column. If there
/// are several columns, the outputs are interleaved when they are stored.
void FewChannelEmitter::finishVector(const ResultLine &line, Value first,
                                     unsigned lanes, Value end) {
  Position position;
  position.index = line.index;
  position.index.append({first, {}});
  position.laneStep.assign(position.index.size(), 0);
  *(position.laneStep.end() - 2) = lanes > 1 ? 1 : 0;
  auto outputs =
      llvm::to_vector(llvm::seq<unsigned>(frame.kernel.getOutputs().size()));
  bool storesDirectly = sizes.columns == 1 || lanes == 1;
  for (int64_t column = 0; column < sizes.columns; ++column) {
    position.index.back() = ops.constant(column);
    Value offset =
        ops.add(first, ops.constant(column * sizes.paddedLineLength()));
    Value sum = loadElements(builder, loc, scratch.line, offset, {lanes, {}});
    elements.setBarrier(builder.getInsertionBlock());
    elements.provide(plan.contraction.result.value,
                     [sum](const Position &, unsigned) { return sum; });
    if (storesDirectly) {
      storeOutputs(elements, outputs, lanes, [&](Value) { return position; });
      continue;
    }
    for (unsigned output : outputs)
      storeElements(builder, loc, outputMemory(output, column), ops.constant(0),
                    elements.elementOrZero(frame.kernel.getOutputs()[output],
                                           position, lanes),
                    {lanes, {}});
  }
  if (storesDirectly)
    return;
  Value count = ops.min(ops.constant(lanes), ops.sub(end, first));
  for (unsigned output : outputs) {
    position.index.back() = ops.constant(0);
    Value tensor = frame.kernel.getOutputs()[output];
    Value begin = elements.offsetOf(tensor, position);
    Value stride = frame.extent(frame.strideOf(tensor, position.rank() - 2));
    buildFor(builder, loc, ops.constant(0), count, 1, [&](Value lane) {
      Value to = ops.add(begin, ops.mul(lane, stride));
      for (int64_t column = 0; column < sizes.columns; ++column)
        storeElements(
            builder, loc, frame.output(output),
            ops.add(to, ops.constant(column)),
            loadElements(builder, loc, outputMemory(output, column), lane, {}),
            {});
    });
  }
}

StringRef FewChannelContraction::findUnmetRequirement(
    const ContractionRequest &request, const TargetDescription &target) const {
  if (request.rowOrder)
    return "no reductions over rows of the result";
  if (!request.readsLhs || !request.readsRhs || !request.hasFloatOperands())
    return "operands that are in memory and have the type of the sums";
  if (!FewChannelSizes::find(request.contraction, target))
    return "short windows, few output channels and static extents";
  if (!findProductBlocks(request.contraction).empty())
    return "sums in one chain";
  return {};
}

LogicalResult FewChannelContraction::emit(KernelFrame &frame,
                                          Contraction contraction) const {
  FewChannelPlan plan(frame, std::move(contraction));
  frame.setTiles(
      [&](EntryExtents &entry) { return FewChannelCounts(plan, entry).tiles; });
  FewChannelCounts counts(plan, frame.entry);
  const FewChannelSizes &sizes = plan.sizes;
  auto constantBytes = [&](int64_t size) {
    return getAffineConstantExpr(size, frame.kernel.getContext());
  };
  int64_t sums = sizes.columns * sizes.paddedLineLength() *
                 int64_t(elementBytes(plan.type));
  int64_t outputs = int64_t(frame.kernel.getOutputs().size()) * sizes.columns *
                    chooseLanes(frame.kernel, frame.target) *
                    int64_t(sizeof(double));
  SmallVector<AffineExpr> scratchBytes = PlanarLines::bytesOf(plan);
  bool hasPhases = sizes.lineAxis().divisor > 1;
  scratchBytes.append({constantBytes(sums), constantBytes(hasPhases ? sums : 0),
                       constantBytes(outputs)});
  SmallVector<Value> memory = frame.takeScratch(scratchBytes);
  FewChannelScratch scratch{
      {memory[3], plan.type}, {memory[2], plan.type}, memory[4]};
  return FewChannelEmitter(plan, counts, scratch,
                           PlanarLines(plan, memory[0], memory[1]))
      .emit();
}
