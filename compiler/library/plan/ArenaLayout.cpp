//===- ArenaLayout.cpp - offsets of the buffers of a run ------------------===//
#include "compiler/library/plan/ArenaLayout.h"

using namespace mlir;
using namespace tg;

/// The largest end of a buffer whose offset is a constant.
static constexpr int64_t kLargest = int64_t(1) << 62;

static constexpr uint32_t kEndOfAll = 0, kNoEnd = 1, kFirstEnd = 2;

ArenaLayout::ArenaLayout(tgx::FunctionOp function, FunctionProgram &program)
    : function(function), program(program) {
  findLastUses();
  function.walk([&](tgx::SwapOp swap) {
    for (Value buffer : swap->getOperands())
      swapped.insert(buffer.getDefiningOp());
  });
  for (auto buffer : function.getBlock().getOps<tgx::WorkspaceOp>())
    add(buffer);
}

void ArenaLayout::findLastUses() {
  for (auto buffer : function.getBlock().getOps<tgx::WorkspaceOp>())
    for (int64_t below : buffer.getAbove())
      lastUses[below] = buffer.getId();
}

void ArenaLayout::add(tgx::WorkspaceOp buffer) {
  auto bytes = dyn_cast<AffineConstantExpr>(buffer.getBytes().getResult(0));
  int64_t least = 0;
  bool isConstant = bytes && !swapped.contains(buffer);
  for (int64_t below : buffer.getAbove()) {
    auto end = constantEnds.find(below);
    isConstant &= end != constantEnds.end();
    if (end != constantEnds.end())
      least = std::max(least, end->second);
  }
  // Sizes that are too large for an address overflow when they are computed.
  if (!isConstant || bytes.getValue() > kLargest - least)
    return addDynamic(buffer, least);
  int64_t end = least + alignUp(bytes.getValue());
  program.offsets[buffer.getId()] = least;
  constantEnds[buffer.getId()] = end;
  program.arenaBytes = std::max(program.arenaBytes, end);
}

void ArenaLayout::addDynamic(tgx::WorkspaceOp op, int64_t least) {
  tg_embedded_buffer_t buffer = {};
  buffer.least = least;
  buffer.bytes = program.expressions.add(op.getBytes().getResult(0));
  buffer.first_below = program.belowEnds.size();
  for (int64_t below : op.getAbove())
    if (!constantEnds.contains(below))
      program.belowEnds.push_back(ends.lookup(below));
  buffer.below_count = program.belowEnds.size() - buffer.first_below;
  buffer.end = takeEnd(op.getId());
  numbers[op.getId()] = program.buffers.size();
  program.buffers.push_back(buffer);
}

uint32_t ArenaLayout::takeEnd(int64_t id) {
  auto last = lastUses.find(id);
  if (last == lastUses.end())
    return kNoEnd;
  for (auto [number, until] : llvm::enumerate(heldUntil))
    if (until <= id) {
      until = last->second;
      return ends[id] = kFirstEnd + number;
    }
  if (kFirstEnd + heldUntil.size() == TG_EMBEDDED_MAX_ENDS) {
    ends[id] = kEndOfAll;
    return kNoEnd;
  }
  heldUntil.push_back(last->second);
  return ends[id] = kFirstEnd + heldUntil.size() - 1;
}
