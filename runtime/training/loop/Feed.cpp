//===- Feed.cpp - inputs of functions from features and numbers -----------===//
#include "Feed.h"

#include <algorithm>

using namespace tg;
using namespace tg::training;

const tg_function_t &training::findFunction(const Model &model,
                                            const std::string &name) {
  const tg_model_t &tables = model.tables();
  std::string known;
  for (uint32_t i = 0; i < tables.function_count; ++i) {
    if (name == tables.functions[i]->name)
      return *tables.functions[i];
    known += (i ? ", " : "") + std::string(tables.functions[i]->name);
  }
  throw RuntimeError(TG_ERROR_NOT_FOUND, "model '" + std::string(tables.name) +
                                             "': no function '" + name +
                                             "', expected one of " + known);
}

std::vector<std::string>
training::scalarOutputs(const tg_function_t &function) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i < function.output_count; ++i)
    if (function.outputs[i]->rank == 0)
      names.push_back(function.outputs[i]->name);
  return names;
}

/// Returns true if the context supplies an input that the caller omits.
static bool isSupplied(const tg_value_t &input) {
  return (input.flags & (TG_VALUE_SEED | TG_VALUE_CALL)) != 0;
}

bool training::drawsSamples(const tg_function_t &function) {
  for (uint32_t i = 0; i < function.input_count; ++i)
    if (isSupplied(*function.inputs[i]))
      return true;
  return false;
}

/// Returns the type of an input as written in messages: "f32 [batch, 4]".
static std::string typeOf(const tg_function_t &function,
                          const tg_value_t &input) {
  std::string text = tg_dtype_name(input.dtype) + std::string(" [");
  for (uint32_t i = 0; i < input.rank; ++i)
    text += (i ? ", " : "") + (input.dims[i] < 0
                                   ? function.symbols[-1 - input.dims[i]]->name
                                   : std::to_string(input.dims[i]));
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Checks of features
//===----------------------------------------------------------------------===//

/// Returns the numbers of examples and batches of an epoch, or none for a data
/// set without batches or with an unknown size.
static std::optional<std::pair<uint64_t, uint64_t>>
sizeOfEpoch(const data::Dataset &data) {
  const data::Dataset rows = data.unbatched();
  const std::optional<uint64_t> batches = data.size(), count = rows.size();
  if (!batches || !count || data.type().empty() ||
      rows.type().front().shape.size() == data.type().front().shape.size())
    return std::nullopt;
  return std::pair(*count, *batches);
}

int64_t Feed::lastRows(int64_t rows) const {
  return epochSize ? static_cast<int64_t>(epochSize->first) -
                         static_cast<int64_t>(epochSize->second - 1) * rows
                   : -1;
}

Feed::Feed(const tg_function_t &fed, const data::Dataset &data)
    : function(fed), type(data.type()), epochSize(sizeOfEpoch(data)) {
  for (uint32_t i = 0; i < function.input_count; ++i) {
    const tg_value_t &input = *function.inputs[i];
    size_t index = 0;
    while (index < type.size() && type[index].name != input.name)
      ++index;
    if (index < type.size())
      addFeature(input, index);
    else if (!isSupplied(input))
      numberInputs.push_back(&input);
  }
}

void Feed::addFeature(const tg_value_t &input, size_t index) {
  const data::FeatureType &feature = type[index];
  const auto refuse = [&](tg_status_t status, const std::string &why) {
    throw RuntimeError(status, std::string(function.name) + ": feature '" +
                                   feature.name + "' is " + feature.text() +
                                   ", expected " + typeOf(function, input) +
                                   why);
  };
  if (!detail::isSame(feature.dtype, input.dtype))
    refuse(TG_ERROR_DTYPE, "");
  if (feature.shape.size() != input.rank)
    refuse(TG_ERROR_RANK, feature.shape.size() + 1 == input.rank
                              ? "; the data set may need batches"
                              : "");
  for (uint32_t i = 0; i < input.rank; ++i) {
    int64_t found = feature.shape[i];
    // A fixed number of rows must be that of the last batch, too.
    if (found < 0 && i == 0 && input.dims[0] >= 0)
      found = lastRows(input.dims[0]);
    if (found < 0)
      continue;
    const int64_t expected =
        input.dims[i] >= 0
            ? input.dims[i]
            : extents.try_emplace(input.dims[i], found).first->second;
    if (found != expected)
      refuse(TG_ERROR_DIM,
             feature.shape[i] < 0
                 ? "; the last batch has " + std::to_string(found) + " examples"
             : input.dims[i] < 0
                 ? " with an extent of " + std::to_string(expected) +
                       " as in other features"
                 : "");
  }
  bound.push_back({input.name, index});
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool Feed::takesFeature(const std::string &name) const {
  return std::ranges::any_of(
      bound, [&](const Bound &feature) { return name == feature.name; });
}

bool Feed::takesNumber(const std::string &name) const {
  for (const tg_value_t *input : numberInputs)
    if (name == input->name && input->rank == 0)
      return true;
  return false;
}

std::string Feed::numberNames() const {
  std::string names;
  for (const tg_value_t *input : numberInputs)
    if (input->rank == 0)
      names += (names.empty() ? "" : ", ") + std::string(input->name);
  return names;
}

void Feed::expectValues(const std::map<std::string, double> &numbers) const {
  for (const tg_value_t *input : numberInputs) {
    if (numbers.contains(input->name) && !input->rank)
      continue;
    std::string names;
    for (const data::FeatureType &feature : type)
      names += (names.empty() ? "" : ", ") + feature.name;
    throw RuntimeError(TG_ERROR_NOT_FOUND,
                       std::string(function.name) + ": no value for input '" +
                           input->name + "', " + typeOf(function, *input) +
                           ", expected a feature" +
                           (input->rank ? "" : " or a number") +
                           " of this name, found the features " + names);
  }
}

std::vector<Input>
Feed::inputs(const data::Example &batch,
             const std::map<std::string, double> &numbers) const {
  std::vector<Input> inputs;
  inputs.reserve(bound.size() + numberInputs.size());
  for (const Bound &feature : bound)
    inputs.push_back({feature.name, batch.features[feature.feature].tensor()});
  for (const tg_value_t *input : numberInputs)
    inputs.push_back({input->name, numbers.at(input->name)});
  return inputs;
}
