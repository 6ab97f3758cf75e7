//===- BufferTraffic.cpp - bytes touched between two uses of memory -------===//
#include "compiler/transforms/memory/BufferTraffic.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tgx/Alignment.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tg;

/// The upper bound of byte counts, so that sums of iterations do not overflow.
static constexpr uint64_t kMostBytes = uint64_t(1) << 60;

/// Returns the root buffer behind views, parts and loop elements.
static Value memoryOf(Value buffer) {
  if (auto part = buffer.getDefiningOp<tgx::PartOp>())
    return memoryOf(part.getSource());
  if (auto element = buffer.getDefiningOp<tgx::ElementOp>())
    return memoryOf(element.getSource());
  Value viewed = buffer.getDefiningOp<tgx::BufferOpInterface>().getViewed();
  return viewed ? memoryOf(viewed) : buffer;
}

BufferTraffic::BufferTraffic(tgx::FunctionOp function) {
  SmallVector<int64_t> ends;
  for (auto workspace : function.getOps<tgx::WorkspaceOp>()) {
    int64_t &offset = offsets[workspace];
    for (int64_t lower : workspace.getAbove())
      offset = std::max(offset, ends[lower]);
    ends.push_back(offset + llvm::alignTo(bytesOf(workspace), tgx::kAlignment));
    arenaBytes = std::max(arenaBytes, ends.back());
  }
  for (auto step : function.getOps<tgx::StepOpInterface>()) {
    steps.push_back(step);
    bytes.push_back(0);
    places.emplace_back();
    addAccesses(step, /*trips=*/1);
  }
}

void BufferTraffic::addAccesses(tgx::StepOpInterface step, uint64_t trips) {
  SmallVector<Value> buffers(step.getSources());
  for (Value target : step.getTargets())
    if (!llvm::is_contained(buffers, target))
      buffers.push_back(target);
  // A swap changes names and touches no elements.
  uint64_t times = isa<tgx::SwapOp>(*step) ? 0 : trips;
  for (Value buffer : buffers) {
    uint64_t all = llvm::SaturatingMultiplyAdd<uint64_t>(bytesOf(buffer), times,
                                                         bytes.back());
    bytes.back() = std::min(all, kMostBytes);
    places.back().push_back(placeOf(buffer));
  }
  if (auto loop = dyn_cast<tgx::ForOp>(*step))
    trips = llvm::SaturatingMultiply<uint64_t>(
        trips, plannedNumber(loop.getCount().getResult(0)));
  for (Region &region : step->getRegions())
    for (auto inner : region.getOps<tgx::StepOpInterface>())
      addAccesses(inner, trips);
}

int64_t BufferTraffic::bytesOf(Value buffer) const {
  while (Value viewed =
             buffer.getDefiningOp<tgx::BufferOpInterface>().getViewed())
    buffer = viewed;
  return plannedNumber(
      buffer.getDefiningOp<tgx::BufferOpInterface>().countBytes());
}

BufferTraffic::Place BufferTraffic::placeOf(Value buffer) const {
  Place place;
  place.memory = memoryOf(buffer);
  auto offset = offsets.find(place.memory);
  place.isInArena = offset != offsets.end();
  place.begin = place.isInArena ? offset->second : 0;
  place.end = place.begin + bytesOf(place.memory);
  if (auto part = buffer.getDefiningOp<tgx::PartOp>()) {
    place.rowBegin = part.countElementsBefore();
    place.rowEnd = place.rowBegin + part.countRowElements();
  }
  return place;
}

bool BufferTraffic::Place::meets(const Place &other) const {
  if (memory != other.memory)
    return isInArena && other.isInArena && begin < other.end &&
           other.begin < end;
  bool areParts = rowEnd && other.rowEnd;
  return !areParts || (rowBegin < other.rowEnd && other.rowBegin < rowEnd);
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
    enough = std::min(enough, arenaBytes);
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
