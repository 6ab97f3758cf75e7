//===- DatasetElements.cpp - elements of data sets and their types --------===//
#include "compiler/frontend/graph/DatasetElements.h"

#include "compiler/frontend/graph/Elements.h"

using namespace tg;
using namespace tg::dsl;

using Element = Dataset::Element;

TensorType dsl::typeOf(const Array &array) {
  return {array.dtype(), Shape(array.shape().begin(), array.shape().end())};
}

static std::string describe(const TensorType &type) {
  return toString(type.dtype) + " " + toString(type.shape);
}

/// Returns true if an array has a type. A dynamic extent of the type allows any
/// extent.
static bool isOfType(const Array &array, const TensorType &type) {
  if (!array.isDefined() || array.dtype() != type.dtype ||
      array.rank() != static_cast<int64_t>(type.shape.size()))
    return false;
  for (size_t axis = 0; axis < type.shape.size(); ++axis)
    if (type.shape[axis].isKnown() &&
        type.shape[axis].value != array.shape()[axis])
      return false;
  return true;
}

void dsl::expectTypes(const Element &element,
                      const std::vector<TensorType> &types,
                      std::source_location where) {
  if (element.size() != types.size())
    throw GraphError("expected an element of " + std::to_string(types.size()) +
                         (types.size() == 1 ? " array" : " arrays") +
                         ", found " + std::to_string(element.size()),
                     where);
  for (size_t i = 0; i < types.size(); ++i)
    if (!isOfType(element[i], types[i]))
      throw GraphError(
          "expected array " + std::to_string(i) + " of an element to be " +
              describe(types[i]) + ", found " +
              (element[i].isDefined() ? describe(typeOf(element[i]))
                                      : "nothing"),
          where);
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

/// Converts an element type. Throws GraphError if the frontend does not have
/// it.
static DType dtypeOf(tg_dtype_t dtype, std::source_location where) {
  try {
    return elementTypeOf(dtype);
  } catch (const std::runtime_error &error) {
    throw GraphError(error.what(), where);
  }
}

Array dsl::arrayOf(const data::Feature &feature, std::source_location where) {
  return Array(dtypeOf(feature.dtype(), where), feature.shape(),
               std::make_shared<const data::Feature>(feature), feature.data(),
               where);
}

data::Feature dsl::featureOf(const Array &array) {
  return {storedType(array.dtype()), array.shape(),
          std::make_shared<const Array>(array), array.data()};
}

Element dsl::elementOf(const std::vector<data::Feature> &features,
                       std::source_location where) {
  Element element;
  for (const data::Feature &feature : features)
    element.push_back(arrayOf(feature, where));
  return element;
}

std::vector<data::Feature> dsl::featuresOf(const Element &element) {
  std::vector<data::Feature> features;
  for (const Array &array : element)
    features.push_back(featureOf(array));
  return features;
}

std::vector<TensorType> dsl::typesOf(const data::ExampleType &type,
                                     std::source_location where) {
  std::vector<TensorType> types;
  for (const data::FeatureType &feature : type)
    types.push_back({dtypeOf(feature.dtype, where),
                     Shape(feature.shape.begin(), feature.shape.end())});
  return types;
}

data::ExampleType dsl::exampleTypeOf(const std::vector<TensorType> &types) {
  data::ExampleType example;
  for (const TensorType &type : types) {
    data::FeatureType feature{
        std::to_string(example.size()), storedType(type.dtype), {}};
    for (const Extent &extent : type.shape)
      feature.shape.push_back(extent.value);
    example.push_back(std::move(feature));
  }
  return example;
}
