//===- Workspaces.cpp - the buffers between the steps of a function -------===//
#include "compiler/transforms/schedule/Workspaces.h"
#include "compiler/transforms/loops/NestedBlocks.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"

using namespace mlir;
using namespace tg;

Workspaces::Workspaces(const ScheduleGraph &graph,
                       const ExtentAnalysis &extents)
    : temporaries(graph.getTemporaryCount()), extents(extents) {
  visit(graph);
  joinSwapped();
}

void Workspaces::addBuffer(Value value) {
  unsigned step = steps.size() - 1;
  steps.back().creates.push_back(values.size());
  values.push_back(value);
  lifetimes.push_back({step, step, plannedNumber(extents.countBytes(value))});
}

void Workspaces::read(unsigned buffer) {
  steps.back().reads.push_back(buffer);
  lifetimes[buffer].last = steps.size() - 1;
}

void Workspaces::readValue(Value value, const ScheduleGraph &graph) {
  auto buffer = indexOf.find(graph.memoryOf(value));
  if (buffer != indexOf.end())
    read(buffer->second);
}

void Workspaces::write(Value value, const ScheduleGraph &graph) {
  Value memory = graph.memoryOf(value);
  if (graph.assignmentOf(memory).kind != BufferAssignment::workspace)
    return;
  auto [known, isNew] = indexOf.try_emplace(memory, values.size());
  if (isNew)
    addBuffer(memory);
  else
    read(known->second);
}

void Workspaces::visit(const ScheduleGraph &graph) {
  for (const Step &step : graph.getSteps()) {
    steps.emplace_back();
    if (step.getControl())
      visitControl(step, graph);
    else
      visitStep(step, graph);
  }
}

void Workspaces::visitStep(const Step &step, const ScheduleGraph &graph) {
  if (step.op) {
    for (Value input : step.getInputs())
      readValue(input, graph);
    for (Value result : step.getOutputs())
      write(result, graph);
    return;
  }
  if (step.restored)
    read(temporaries[*step.restored]);
  else
    readValue(step.source, graph);
  if (step.target.kind == BufferAssignment::workspace) {
    temporaries[step.target.index] = values.size();
    addBuffer(step.source);
  }
  if (step.target.owner)
    write(step.target.owner, graph);
  if (step.isSwap)
    swapped.push_back({indexOf.lookup(graph.memoryOf(step.source)),
                       indexOf.lookup(graph.memoryOf(step.target.owner))});
}

void Workspaces::visitControl(const Step &step, const ScheduleGraph &graph) {
  unsigned begin = steps.size() - 1;
  size_t swapsBefore = swapped.size();
  for (Value result : step.getOutputs())
    write(result, graph);
  for (const auto &region : graph.regionsOf(step.op))
    visit(*region);
  steps.emplace_back();
  unsigned end = steps.size() - 1;
  for (Value value : step.getInputs())
    readValue(value, graph);
  for (Value result : step.getOutputs())
    readValue(result, graph);
  for (Lifetime &life : lifetimes)
    if (life.first <= begin && life.last > begin)
      life.last = end;
  for (auto [fresh, old] : ArrayRef(swapped).drop_front(swapsBefore))
    for (unsigned buffer : {fresh, old})
      lifetimes[buffer] = {std::min(lifetimes[buffer].first, begin), end,
                           lifetimes[buffer].bytes};
}

/// Gives exchanged buffers a common lifetime, because after an exchange each of
/// them has the memory of the other.
void Workspaces::joinSwapped() {
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (auto [a, b] : swapped) {
      Lifetime &one = lifetimes[a], &other = lifetimes[b];
      unsigned first = std::min(one.first, other.first);
      unsigned last = std::max(one.last, other.last);
      isDone &= one.first == first && other.first == first &&
                one.last == last && other.last == last;
      one.first = other.first = first;
      one.last = other.last = last;
    }
  }
}
