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
    places.emplace_back();
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
    uint64_t all = llvm::SaturatingMultiplyAdd<uint64_t>(bytesOf(buffer), times,
                                                         bytes.back());
    bytes.back() = std::min(all, kMaxBytes);
    places.back().push_back(placeOf(buffer));
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

BufferTraffic::Place BufferTraffic::placeOf(Value buffer) const {
  Place place;
  place.root = tgx::rootOf(buffer);
  place.rows = tgx::rowRangeOf(buffer);
  auto workspace = place.root.getDefiningOp<tgx::WorkspaceOp>();
  place.isInArena = bool(workspace);
  place.begin = workspace ? arena.leastOffsetOf(workspace) : 0;
  place.end = place.begin + bytesOf(place.root);
  return place;
}

bool BufferTraffic::Place::meets(const Place &other) const {
  if (root != other.root)
    return isInArena && other.isInArena && begin < other.end &&
           other.begin < end;
  return rows.meets(other.rows);
}

bool BufferTraffic::touches(unsigned step, const Place &place) const {
  return llvm::any_of(places[step],
                      [&](const Place &other) { return other.meets(place); });
}

int64_t BufferTraffic::bytesUntilUse(unsigned step, Value buffer,
                                     int64_t enough) const {
  Place place = placeOf(buffer);
  int64_t passed = bytes[step] / 2;
  for (unsigned next = step + 1; next < steps.size() && passed < enough;
       ++next) {
    if (touches(next, place))
      return std::min(enough, passed + bytes[next] / 2);
    passed += bytes[next];
  }
  return std::min(enough, passed);
}

int64_t BufferTraffic::bytesSinceUse(unsigned step, Value buffer,
                                     int64_t enough) const {
  Place place = placeOf(buffer);
  if (place.isInArena)
    enough = std::min(enough, arena.getBytes());
  tgx::StepOpInterface own = steps[step];
  for (Value source : own.getSources())
    if (placeOf(source).meets(place))
      return 0;
  int64_t passed = bytes[step] / 2;
  for (unsigned back = 1; back <= steps.size() && passed < enough; ++back) {
    unsigned last = (step + steps.size() - back) % steps.size();
    if (touches(last, place))
      return std::min(enough, passed + bytes[last] / 2);
    passed += bytes[last];
  }
  return std::min(enough, passed);
}
