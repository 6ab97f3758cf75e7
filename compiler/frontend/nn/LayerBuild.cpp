//===- LayerBuild.cpp - variables before a layer's first call -------------===//
#include "compiler/frontend/eager/TapeList.h"
#include "compiler/frontend/graph/OpenControl.h"
#include "tg/graph/default_graph.h"
#include "tg/nn/layer.h"

using namespace tg;
using namespace tg::dsl;

void BaseLayer::build(const Shape &input, DType dtype,
                      std::source_location where) {
  buildFor({{dtype, input}}, where);
}

/// Returns zeros of a type, with extent 1 for each dynamic dimension.
static Tensor zerosOf(Program &program, TensorType type, Place where) {
  for (Extent &extent : type.shape)
    if (!extent.isKnown())
      extent = 1;
  return program.zeros(type.shape, type.dtype, where);
}

void BaseLayer::buildFor(const std::vector<TensorType> &inputs,
                         std::source_location where) {
  Program program = defaultGraph();
  if (program.isEager()) {
    RecordingPause pause;
    std::vector<Tensor> values;
    for (const TensorType &type : inputs)
      values.push_back(zerosOf(program, type, where));
    fprop(std::move(values), Mode::test, where);
    return;
  }
  // The region is never finished, so the ops in it are discarded. Variables are
  // created outside the region.
  OpenControl discarded(program.body(), "if", 1, {}, {}, where);
  auto trace = [&](const std::vector<Tensor> &arguments) -> LoopValues {
    fprop(arguments, Mode::test, where);
    return {};
  };
  discarded.fill({inputs.size(), trace}, inputs);
}
