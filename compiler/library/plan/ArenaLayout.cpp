//===- ArenaLayout.cpp - offsets of the buffers of a run ------------------===//
#include "compiler/library/plan/ArenaLayout.h"

using namespace mlir;
using namespace tg;

/// Indices of the slots in which a run stores the end offsets of buffers: the
/// slot of the highest end so far, the slot that is never read, and the first
/// slot that can be allocated.
static constexpr uint32_t kEndOfAll = 0, kNoEnd = 1, kFirstEnd = 2;

/// Returns the placements of the workspaces, computed from the constant sizes
/// among their sizes. The sizes of swapped workspaces count as unknown, because
/// their base addresses change during a run.
static tgx::ArenaPlaces findPlaces(tgx::FunctionOp function) {
  llvm::DenseSet<Operation *> swapped;
  function.walk([&](tgx::SwapOp swap) {
    for (Value buffer : swap->getOperands())
      swapped.insert(buffer.getDefiningOp());
  });
  return tgx::ArenaPlaces(
      function, [&](tgx::WorkspaceOp buffer) -> std::optional<int64_t> {
        if (swapped.contains(buffer))
          return std::nullopt;
        return staticExtent(buffer.getBytes().getResult(0));
      });
}

ArenaLayout::ArenaLayout(tgx::FunctionOp function, FunctionProgram &program)
    : program(program), constantPlaces(findPlaces(function)) {
  program.arenaBytes = constantPlaces.getBytes();
  auto buffers = function.getBlock().getOps<tgx::WorkspaceOp>();
  for (tgx::WorkspaceOp buffer : buffers)
    for (int64_t below : buffer.getAbove())
      lastAbove[below] = buffer.getId();
  for (tgx::WorkspaceOp buffer : buffers)
    if (constantPlaces.endOf(buffer.getId()))
      program.offsets[buffer.getId()] = *constantPlaces.offsetOf(buffer);
    else
      addDynamic(buffer);
}

void ArenaLayout::addDynamic(tgx::WorkspaceOp op) {
  tg_embedded_buffer_t buffer = {};
  buffer.min_offset = constantPlaces.leastOffsetOf(op);
  buffer.bytes = program.expressions.add(op.getBytes().getResult(0));
  buffer.first_below = program.belowEnds.size();
  for (int64_t below : op.getAbove())
    if (!constantPlaces.endOf(below))
      program.belowEnds.push_back(ends.lookup(below));
  buffer.below_count = program.belowEnds.size() - buffer.first_below;
  buffer.end = allocateEnd(op.getId());
  indices[op.getId()] = program.buffers.size();
  program.buffers.push_back(buffer);
}

uint32_t ArenaLayout::allocateEnd(int64_t id) {
  auto last = lastAbove.find(id);
  if (last == lastAbove.end())
    return kNoEnd;
  for (auto [index, until] : llvm::enumerate(heldUntil))
    if (until <= id) {
      until = last->second;
      return ends[id] = kFirstEnd + index;
    }
  if (kFirstEnd + heldUntil.size() == TG_EMBEDDED_MAX_ENDS) {
    ends[id] = kEndOfAll;
    return kNoEnd;
  }
  heldUntil.push_back(last->second);
  return ends[id] = kFirstEnd + heldUntil.size() - 1;
}
