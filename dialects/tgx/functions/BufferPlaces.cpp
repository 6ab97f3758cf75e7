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
  return elementRangeOf(buffer).begin * elementBytesOf(buffer);
}

int64_t tgx::alignmentOf(Value buffer, int64_t callerAlignment) {
  int64_t unit = elementBytesOf(buffer);
  Operation *sized = sizedBuffer(buffer);
  if (auto part = dyn_cast<PartOp>(sized))
    return std::gcd(alignmentOf(part.getSource(), callerAlignment),
                    part.countElementsBefore() * unit);
  // The elements of a stacked buffer follow each other without padding.
  if (isa<ElementOp>(sized))
    return unit;
  if (isa<InputOp, OutputOp>(sized))
    return std::max(unit, callerAlignment);
  return kAlignment;
}

bool ElementRange::meets(const ElementRange &other) const {
  bool areParts = end && other.end;
  return !areParts || (begin < other.end && other.begin < end);
}

ElementRange tgx::elementRangeOf(Value buffer) {
  auto part = dyn_cast<PartOp>(*sizedBuffer(buffer));
  if (!part)
    return {};
  int64_t begin = part.countElementsBefore();
  return {begin, begin + part.countRowElements()};
}

//===----------------------------------------------------------------------===//
// ArenaPlaces
//===----------------------------------------------------------------------===//

/// The maximum end of a workspace that counts as known. Sums with larger ends
/// could overflow.
static constexpr int64_t kLargestEnd = int64_t(1) << 62;

ArenaPlaces::ArenaPlaces(FunctionOp function, SizeOf sizeOf) {
  for (auto workspace : function.getBlock().getOps<WorkspaceOp>()) {
    Placement placement;
    for (int64_t below : workspace.getAbove()) {
      std::optional<int64_t> end = placements[below].end;
      placement.isKnown &= end.has_value();
      placement.least = std::max(placement.least, end.value_or(0));
    }
    std::optional<int64_t> size = sizeOf(workspace);
    if (placement.isKnown && size && *size <= kLargestEnd - placement.least) {
      placement.end = placement.least +
                      llvm::alignTo(uint64_t(*size), function.getAlignment());
      bytes = std::max(bytes, *placement.end);
    }
    placements.push_back(placement);
  }
}

std::optional<int64_t> ArenaPlaces::offsetOf(WorkspaceOp workspace) const {
  const Placement &placement = placements[workspace.getId()];
  return placement.isKnown ? std::optional(placement.least) : std::nullopt;
}

int64_t ArenaPlaces::leastOffsetOf(WorkspaceOp workspace) const {
  return placements[workspace.getId()].least;
}
