//===- Filter.cpp - conditions of examples --------------------------------===//
#include "Stages.h"
#include "runtime/data/Dtypes.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace tg::data;

namespace {
/// A condition of a single number.
struct Condition {
  std::optional<std::vector<double>> values;
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  bool holds(double number) const {
    return number >= least && number <= most &&
           (!values ||
            std::find(values->begin(), values->end(), number) != values->end());
  }
};
} // namespace

static double numberOf(const Feature &feature) {
  double number = 0;
  visitDtype(feature.dtype(), [&](auto zero) {
    number = static_cast<double>(feature.values<decltype(zero)>()[0]);
  });
  return number;
}

static Condition conditionOf(Object &object, const Json &value) {
  Condition condition;
  if (const Json *values = object.find("values"))
    condition.values = toNumbers(*values, memberPath(object.path(), "values"));
  condition.least = object.number("least", condition.least);
  condition.most = object.number("most", condition.most);
  object.expectNoOthers();
  if (!condition.values && std::isinf(condition.least) &&
      std::isinf(condition.most))
    object.fail("values", "a list of numbers, or least or most", value);
  return condition;
}

Dataset tg::data::addFilter(const Dataset &data, const Json &value,
                            const std::string &path) {
  Object object(value, path);
  const std::string name = object.text("of", "label");
  const Condition condition = conditionOf(object, value);
  const ExampleType &type = data.type();
  const auto found =
      std::find_if(type.begin(), type.end(), [&](const FeatureType &feature) {
        return feature.name == name;
      });
  if (found == type.end())
    object.fail("of", "the name of a feature", name);
  for (int64_t extent : found->shape)
    if (extent != 1)
      throw DataError(path + ": expected a feature of one number, found " +
                      name + ", " + found->text());
  const auto index = static_cast<size_t>(found - type.begin());
  return data.filter([index, condition](const Example &example) {
    return condition.holds(numberOf(example.features[index]));
  });
}
