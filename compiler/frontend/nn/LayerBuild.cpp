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

/// Zeros of a type, with one element along each unknown dimension.
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
  // The computed ops are in a region that nothing ends, so they go; variables
  // are made outside of it.
  OpenControl sketch(program.body(), "if", 1, {}, {}, where);
  auto trace = [&](const std::vector<Tensor> &arguments) -> LoopValues {
    fprop(arguments, Mode::test, where);
    return {};
  };
  sketch.fill({inputs.size(), trace}, inputs);
}
