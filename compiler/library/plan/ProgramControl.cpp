//===- ProgramControl.cpp - steps of loops and branches -------------------===//
#include "compiler/library/plan/ProgramBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tg;

uint32_t ProgramBuilder::addControl(uint32_t kind, uint32_t base,
                                    ArrayRef<tg_embedded_slot_t> slots,
                                    uint32_t target) {
  size_t first = program.slots.size();
  llvm::append_range(program.slots, slots);
  addStep(kind, base, first);
  program.steps.back().target = target;
  return program.steps.size() - 1;
}

/// Returns the slot of a number that is known at compile time.
static tg_embedded_slot_t constantSlot(int64_t number) {
  return {TG_EMBEDDED_BASE_ZERO, 0, number};
}

void ProgramBuilder::add(tgx::SwapOp swap) {
  addControl(TG_EMBEDDED_SWAP, 0,
             {slotOf(swap.getFirst()), slotOf(swap.getSecond())});
}

void ProgramBuilder::addAddress(tgx::ElementOp element) {
  tg_embedded_slot_t counter = {registerOf(element->getParentOp()), 0, 0};
  addControl(
      TG_EMBEDDED_ADDRESS, registerOf(element),
      {slotOf(element.getSource()), counter, slotOf(element.countBytes())});
}

/// Adds a loop. Its base counts iterations from the first to one after the
/// last.
void ProgramBuilder::add(tgx::ForOp loop) {
  AffineExpr count = loop.getCount().getResult(0);
  bool isReverse = loop.getReverse();
  tg_embedded_slot_t first = isReverse ? slotOf(count - 1) : constantSlot(0);
  tg_embedded_slot_t end = isReverse ? constantSlot(-1) : slotOf(count);
  uint32_t counter = registerOf(loop);
  uint32_t begin = addControl(TG_EMBEDDED_LOOP, counter, {first, end});
  uint32_t body = program.steps.size();
  addBlock(loop.getBody().front());
  addControl(TG_EMBEDDED_NEXT, counter, {constantSlot(isReverse ? -1 : 1), end},
             body);
  setTarget(begin);
}

/// Adds a while loop. Its base counts iterations. The loop ends when its flag
/// is false.
void ProgramBuilder::add(tgx::WhileOp loop) {
  uint32_t iterations = registerOf(loop);
  tg_embedded_slot_t never = constantSlot(-1);
  addControl(TG_EMBEDDED_LOOP, iterations, {constantSlot(0), never});
  uint32_t test = addControl(TG_EMBEDDED_BRANCH, 0, {slotOf(loop.getFlag())});
  if (std::optional<uint64_t> most = loop.getMaxTrip())
    addControl(TG_EMBEDDED_LIMIT, function.requirements.lookup(loop),
               {tg_embedded_slot_t{iterations, 0, 0}, constantSlot(*most)});
  addBlock(loop.getBody().front());
  addControl(TG_EMBEDDED_NEXT, iterations, {constantSlot(1), never}, test);
  setTarget(test);
}

void ProgramBuilder::add(tgx::IfOp branch) {
  uint32_t test = addControl(TG_EMBEDDED_BRANCH, 0, {slotOf(branch.getFlag())});
  addBlock(branch.getThenRegion().front());
  uint32_t end = addControl(TG_EMBEDDED_JUMP, 0, {});
  setTarget(test);
  addBlock(branch.getElseRegion().front());
  setTarget(end);
}

/// Adds the steps of a block and the checks that they require. In a loop, the
/// addresses of its elements come first.
void ProgramBuilder::addBlock(Block &block) {
  for (auto element : block.getOps<tgx::ElementOp>())
    addAddress(element);
  for (Operation &op : block) {
    if (depth == 0)
      clearBefore(op);
    if (function.requirements.contains(&op) &&
        isa<tgx::ExtentCheckOpInterface>(op))
      addControl(TG_EMBEDDED_REQUIRE, function.requirements.lookup(&op), {});
    llvm::TypeSwitch<Operation *>(&op)
        .Case<tgx::LaunchOp, tgx::CopyOp, tgx::HostOp, tgx::SwapOp, tgx::ForOp,
              tgx::WhileOp, tgx::IfOp, tgx::MeasureOp>([&](auto step) {
          // Writes of an iteration precede all steps of the next one, so they
          // are noted before the steps of the loop are added.
          if (step->getNumRegions())
            step->walk([&](tgx::StepOpInterface inner) {
              llvm::for_each(inner.getTargets(),
                             [&](Value target) { noteWrite(target); });
            });
          depth += step->getNumRegions() > 0;
          add(step);
          depth -= step->getNumRegions() > 0;
        });
  }
}
