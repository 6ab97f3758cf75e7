//===- Workspaces.cpp - the buffers between the steps of a function -------===//
#include "compiler/transforms/Workspaces.h"
#include "compiler/transforms/FunctionSymbols.h"
#include "compiler/transforms/PartPlace.h"

using namespace mlir;
using namespace tg;

void Workspaces::make(Value value, const ExtentAnalysis &extents) {
  unsigned step = steps.size() - 1;
  steps.back().makes.push_back(values.size());
  values.push_back(value);
  lifetimes.push_back({step, step, plannedNumber(extents.countBytes(value))});
}

void Workspaces::read(unsigned buffer) {
  steps.back().reads.push_back(buffer);
  lifetimes[buffer].last = steps.size() - 1;
}

void Workspaces::write(Value value, const ExtentAnalysis &extents) {
  Value memory = placeOf(value).memory;
  auto [known, isNew] = numberOf.try_emplace(memory, values.size());
  if (isNew)
    make(memory, extents);
  else
    read(known->second);
}

Workspaces::Workspaces(const ScheduleGraph &graph,
                       const ExtentAnalysis &extents)
    : temporaries(graph.getTemporaryCount()) {
  auto readValue = [&](Value value) {
    auto buffer = numberOf.find(placeOf(withoutViews(value)).memory);
    if (buffer != numberOf.end())
      read(buffer->second);
  };
  for (const Step &step : graph.getSteps()) {
    steps.emplace_back();
    if (tgx::CallOp call = step.call) {
      for (Value input : call.getInputs())
        readValue(input);
      for (Value result : call.getOutputs())
        if (graph.assignmentOf(placeOf(result).memory).kind ==
            BufferAssignment::workspace)
          write(result, extents);
      continue;
    }
    if (step.restored)
      read(temporaries[*step.restored]);
    else
      readValue(step.source);
    if (step.target.kind == BufferAssignment::workspace) {
      temporaries[step.target.index] = values.size();
      make(step.source, extents);
    }
  }
}
