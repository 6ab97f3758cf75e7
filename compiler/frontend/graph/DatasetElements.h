//===- DatasetElements.h - elements of data sets and their types ----------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_DATASETELEMENTS_H
#define TG_COMPILER_FRONTEND_GRAPH_DATASETELEMENTS_H

#include "tg/data/dataset.hpp"
#include "tg/graph/dataset.h"

/// The examples, and where the user added the last stage.
struct tg::Dataset::State {
  data::Dataset examples;
  uint32_t threads;
  std::source_location where;
};

namespace tg::dsl {

/// Returns the element type and the shape of an array.
TensorType typeOf(const Array &array);

/// Throws GraphError unless the arrays of an element have these types. A
/// dynamic extent of a type allows any extent.
void expectTypes(const Dataset::Element &element,
                 const std::vector<TensorType> &types,
                 std::source_location where);

/// Converts between arrays and features, which share their elements.
Array arrayOf(const data::Feature &feature, std::source_location where);
data::Feature featureOf(const Array &array);
Dataset::Element elementOf(const std::vector<data::Feature> &features,
                           std::source_location where);
std::vector<data::Feature> featuresOf(const Dataset::Element &element);

/// Converts between the types of elements and of examples. The features are
/// named by their index.
std::vector<TensorType> typesOf(const data::ExampleType &type,
                                std::source_location where);
data::ExampleType exampleTypeOf(const std::vector<TensorType> &types);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_DATASETELEMENTS_H
