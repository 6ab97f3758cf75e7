//===- BufferTraffic.cpp - bytes touched between two uses of memory -------===//
#include "compiler/transforms/memory/BufferTraffic.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// The upper bound of byte counts, so that sums of iterations do not overflow.
static constexpr uint64_t kMaxBytes = uint64_t(1) << 60;

/// Returns the bytes of a buffer at the planned extents.
static int64_t plannedBytes(Value buffer) {
  return plannedNumber(tgx::sizedBuffer(buffer).countBytes());
}

BufferTraffic::BufferTraffic(tgx::FunctionOp function)
    : arena(function, plannedBytes) {
  for (auto step : function.getOps<tgx::StepOpInterface>()) {
    steps.push_back(step);
    bytes.push_back(0);
    ranges.emplace_back();
    addAccesses(step, /*iterations=*/1);
  }
}

void BufferTraffic::addAccesses(tgx::StepOpInterface step,
                                uint64_t iterations) {
  SmallVector<Value> buffers(step.getSources());
  for (Value target : step.getTargets())
    if (!llvm::is_contained(buffers, target))
      buffers.push_back(target);
  // A swap changes names and touches no elements.
  uint64_t times = isa<tgx::SwapOp>(*step) ? 0 : iterations;
  for (Value buffer : buffers) {
    uint64_t total = llvm::SaturatingMultiplyAdd<uint64_t>(bytesOf(buffer),
                                                           times, bytes.back());
    bytes.back() = std::min(total, kMaxBytes);
    ranges.back().push_back(rangeOf(buffer));
  }
  if (auto loop = dyn_cast<tgx::ForOp>(*step))
    iterations = llvm::SaturatingMultiply<uint64_t>(
        iterations, plannedNumber(loop.getCount().getResult(0)));
  for (Region &region : step->getRegions())
    for (auto inner : region.getOps<tgx::StepOpInterface>())
      addAccesses(inner, iterations);
}

int64_t BufferTraffic::bytesOf(Value buffer) const {
  return plannedBytes(buffer);
}

BufferTraffic::MemoryRange BufferTraffic::rangeOf(Value buffer) const {
  MemoryRange range;
  range.root = tgx::rootOf(buffer);
  range.elements = tgx::elementRangeOf(buffer);
  auto workspace = range.root.getDefiningOp<tgx::WorkspaceOp>();
  range.isInArena = bool(workspace);
  range.begin = workspace ? arena.leastOffsetOf(workspace) : 0;
  range.end = range.begin + bytesOf(range.root);
  return range;
}

bool BufferTraffic::MemoryRange::overlaps(const MemoryRange &other) const {
  if (root != other.root)
    return isInArena && other.isInArena && begin < other.end &&
           other.begin < end;
  return elements.meets(other.elements);
}

bool BufferTraffic::touches(unsigned step, const MemoryRange &range) const {
  return llvm::any_of(ranges[step], [&](const MemoryRange &other) {
    return other.overlaps(range);
  });
}

int64_t BufferTraffic::bytesUntilUse(unsigned step, Value buffer,
                                     int64_t limit) const {
  MemoryRange range = rangeOf(buffer);
  int64_t touched = bytes[step] / 2;
  for (unsigned next = step + 1; next < steps.size() && touched < limit;
       ++next) {
    if (touches(next, range))
      return std::min(limit, touched + bytes[next] / 2);
    touched += bytes[next];
  }
  return std::min(limit, touched);
}

int64_t BufferTraffic::bytesSinceUse(unsigned step, Value buffer,
                                     int64_t limit) const {
  MemoryRange range = rangeOf(buffer);
  if (range.isInArena)
    limit = std::min(limit, arena.getBytes());
  tgx::StepOpInterface own = steps[step];
  for (Value source : own.getSources())
    if (rangeOf(source).overlaps(range))
      return 0;
  int64_t touched = bytes[step] / 2;
  for (unsigned back = 1; back <= steps.size() && touched < limit; ++back) {
    unsigned last = (step + steps.size() - back) % steps.size();
    if (touches(last, range))
      return std::min(limit, touched + bytes[last] / 2);
    touched += bytes[last];
  }
  return std::min(limit, touched);
}
