//===- LayerTable.cpp - library layers by name ----------------------------===//
#include "compiler/frontend/symbolic/Call.h"
#include "compiler/frontend/symbolic/Fields.h"
#include "compiler/frontend/symbolic/Layers.h"

using namespace tg;
using namespace tg::symbolic;

/// Returns the definition of a layer. Its arguments are the fields of the
/// layer's options.
template <typename Layer>
static Definition define(const Layer &layer, LayerFunction function,
                         UseScope useScope = UseScope::always,
                         bool namesOutput = true) {
  return {.name = layer.layerName(),
          .registration = {.useScope = useScope,
                           .logShape = useScope == UseScope::always,
                           .arguments = namesOf<typename Layer::Options>()},
          .function = std::move(function),
          .namesOutput = namesOutput};
}

static std::vector<Definition> makeTable() {
  return {
      define(Conv2D, symbolic::conv2D),
      define(Conv2DTranspose, symbolic::conv2DTranspose),
      define(FullyConnected, symbolic::fullyConnected),
      define(MaxPooling, symbolic::maxPooling),
      define(AvgPooling, symbolic::avgPooling),
      define(GlobalAvgPooling, symbolic::globalAvgPooling),
      define(FixedUnPooling, symbolic::fixedUnPooling, UseScope::always, false),
      define(BatchNorm, symbolic::batchNorm),
      define(BatchRenorm, symbolic::batchRenorm),
      define(LayerNorm, symbolic::layerNorm),
      define(InstanceNorm, symbolic::instanceNorm),
      define(Maxout, symbolic::maxout, UseScope::optional),
      define(PReLU, symbolic::prelu, UseScope::always, false),
      define(BNReLU, symbolic::bnRelu, UseScope::optional, false),
      define(Dropout, symbolic::dropout, UseScope::optional, false)};
}

const std::vector<Definition> &symbolic::libraryLayers() {
  static const std::vector<Definition> table = makeTable();
  return table;
}

const Definition *symbolic::findLibraryLayer(const std::string &name) {
  const std::string &current = name == "Deconv2D" ? "Conv2DTranspose" : name;
  for (const Definition &layer : libraryLayers())
    if (layer.name == current)
      return &layer;
  return nullptr;
}
