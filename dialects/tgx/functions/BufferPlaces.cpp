//===- BufferPlaces.cpp - the locations of buffers in memory --------------===//
#include "dialects/tgx/functions/BufferPlaces.h"
#include "dialects/tg/elements/ElementTypes.h"
#include "dialects/tgx/Alignment.h"
#include <numeric>

using namespace mlir;
using namespace tgx;

BufferOpInterface tgx::sizedBuffer(Value buffer) {
  auto op = buffer.getDefiningOp<BufferOpInterface>();
  while (Value viewed = op.getViewed())
    op = viewed.getDefiningOp<BufferOpInterface>();
  return op;
}

Value tgx::storageOf(Value buffer) {
  BufferOpInterface sized = sizedBuffer(buffer);
  auto part = dyn_cast<PartOp>(*sized);
  return part ? storageOf(part.getSource()) : Value(sized->getResult(0));
}

Value tgx::rootOf(Value buffer) {
  Value storage = storageOf(buffer);
  auto element = storage.getDefiningOp<ElementOp>();
  return element ? rootOf(element.getSource()) : storage;
}

static int64_t elementBytesOf(Value buffer) {
  return tg::elementBytes(getElementTypeOrSelf(buffer));
}

int64_t tgx::offsetInStorage(Value buffer) {
  return rowRangeOf(buffer).begin * elementBytesOf(buffer);
}

int64_t tgx::alignmentOf(Value buffer) {
  int64_t unit = elementBytesOf(buffer);
  Operation *sized = sizedBuffer(buffer);
  if (auto part = dyn_cast<PartOp>(sized))
    return std::gcd(alignmentOf(part.getSource()),
                    part.countElementsBefore() * unit);
  // The elements of a stacked buffer follow each other.
  if (isa<ElementOp, OutputOp>(sized))
    return unit;
  return kAlignment;
}

bool RowRange::meets(const RowRange &other) const {
  bool areParts = end && other.end;
  return !areParts || (begin < other.end && other.begin < end);
}

RowRange tgx::rowRangeOf(Value buffer) {
  auto part = dyn_cast<PartOp>(*sizedBuffer(buffer));
  if (!part)
    return {};
  int64_t begin = part.countElementsBefore();
  return {begin, begin + part.countRowElements()};
}

//===----------------------------------------------------------------------===//
// ArenaPlaces
//===----------------------------------------------------------------------===//

/// The largest known end of a workspace. Sums of larger ends could overflow.
static constexpr int64_t kLargestEnd = int64_t(1) << 62;

ArenaPlaces::ArenaPlaces(FunctionOp function, SizeOf sizeOf) {
  for (auto workspace : function.getBlock().getOps<WorkspaceOp>()) {
    Place place;
    for (int64_t below : workspace.getAbove()) {
      std::optional<int64_t> end = places[below].end;
      place.isKnown &= end.has_value();
      place.least = std::max(place.least, end.value_or(0));
    }
    std::optional<int64_t> size = sizeOf(workspace);
    if (place.isKnown && size && *size <= kLargestEnd - place.least) {
      place.end = place.least + llvm::alignTo(uint64_t(*size), kAlignment);
      bytes = std::max(bytes, *place.end);
    }
    places.push_back(place);
  }
}

std::optional<int64_t> ArenaPlaces::offsetOf(WorkspaceOp workspace) const {
  const Place &place = places[workspace.getId()];
  return place.isKnown ? std::optional(place.least) : std::nullopt;
}

int64_t ArenaPlaces::leastOffsetOf(WorkspaceOp workspace) const {
  return places[workspace.getId()].least;
}
