//===- DatasetElements.h - elements of data sets and their types ----------===//
#ifndef TG_COMPILER_FRONTEND_GRAPH_DATASETELEMENTS_H
#define TG_COMPILER_FRONTEND_GRAPH_DATASETELEMENTS_H

#include "tg/graph/dataset.h"

namespace tg::dsl {

/// Returns the element type and the shape of an array.
TensorType typeOf(const Array &array);

/// Returns a row of an array.
Array rowOf(const Array &array, int64_t row);

/// Returns a reader that checks the types of the elements of another one. It
/// throws GraphError at an element of other types.
Dataset::Reader expectingTypes(Dataset::Reader reader,
                               std::vector<TensorType> types,
                               std::source_location where);

/// Stacks the arrays of one component of all elements along a new first
/// dimension. Throws GraphError unless they have one type and shape.
Array stackRows(const std::vector<Dataset::Element> &elements, size_t component,
                std::source_location where);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_GRAPH_DATASETELEMENTS_H
