//===- LibraryStage.cpp - functions of libraries as stages ----------------===//
#include "tg/training/library_stage.hpp"

#include "Contexts.h"
#include "runtime/data/description/Json.h"
#include "runtime/training/loop/Feed.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

using namespace tg;
using namespace tg::data;
using namespace tg::training;

/// Returns an output as a feature with its own memory.
static Feature featureOf(const Outputs &outputs, const tg_value_t &output) {
  const std::span<const int64_t> shape = outputs.shape(output.name);
  Feature feature(output.dtype, {shape.begin(), shape.end()});
  const std::span<const char> bytes = outputs.bytes(output.name);
  if (feature.byteCount())
    std::memcpy(feature.data(), bytes.data(), feature.byteCount());
  return feature;
}

namespace {

/// A function, and the features before and after it. Its members do not change
/// once it is made; copies of the stage share it.
class Call {
public:
  Call(const Dataset &data, Model loaded, const LibraryStageOptions &options)
      : model(std::move(loaded)),
        function(findFunction(model, options.function)), feed(function, data),
        numbers(options.numbers), names(options.outputs),
        contexts(model, options.variables) {
    if (function.flags & TG_FUNCTION_WRITES_VARIABLES)
      throw DataError(options.function +
                      ": expected a function that only reads variables, found "
                      "one that changes them");
    addResults(data.type());
    expectNames();
    takesSeed = feed.takesNumber(seedName) && !numbers.count(seedName);
    expectNumbers();
  }

  const ExampleType &type() const { return types; }

  std::vector<Feature> operator()(const Example &example,
                                  Random &random) const {
    try {
      return contexts.with(
          [&](Context &context) { return run(context, example, random); });
    } catch (const RuntimeError &error) {
      throw DataError(error.what());
    }
  }

private:
  static constexpr const char *seedName = "seed";

  /// A feature of the result: an output, or a feature that is passed on.
  struct Result {
    const tg_value_t *output = nullptr;
    size_t passed = 0;
  };

  /// Returns the feature that an output becomes. `extents` has those of symbols
  /// that are known.
  FeatureType typeOf(const tg_value_t &output,
                     const std::map<int64_t, int64_t> &extents) const {
    const auto name = names.find(output.name);
    FeatureType type{
        name == names.end() ? output.name : name->second, output.dtype, {}};
    for (uint32_t i = 0; i < output.rank; ++i) {
      const auto known = extents.find(output.dims[i]);
      type.shape.push_back(output.dims[i] >= 0      ? output.dims[i]
                           : known != extents.end() ? known->second
                                                    : FeatureType::anyExtent);
    }
    return type;
  }

  /// Returns the input with the name of a feature, or null. Stores the extents
  /// of its symbols.
  const tg_value_t *inputOf(const FeatureType &feature,
                            std::map<int64_t, int64_t> &extents) const {
    for (uint32_t k = 0; k < function.input_count; ++k) {
      const tg_value_t &input = *function.inputs[k];
      if (feature.name != input.name)
        continue;
      for (uint32_t i = 0; i < input.rank; ++i)
        if (feature.shape[i] >= 0)
          extents.emplace(input.dims[i], feature.shape[i]);
      return &input;
    }
    return nullptr;
  }

  void addResults(const ExampleType &before) {
    std::map<int64_t, int64_t> extents;
    std::vector<bool> isInput;
    for (const FeatureType &feature : before)
      isInput.push_back(inputOf(feature, extents) != nullptr);
    std::vector<const tg_value_t *> outputs(
        function.outputs, function.outputs + function.output_count);
    const auto add = [&](const FeatureType &type, const Result &result) {
      types.push_back(type);
      results.push_back(result);
    };
    for (size_t i = 0; i < before.size(); ++i) {
      const auto same = std::find_if(
          outputs.begin(), outputs.end(), [&](const tg_value_t *output) {
            return typeOf(*output, extents).name == before[i].name;
          });
      if (same != outputs.end()) {
        add(typeOf(**same, extents), {*same});
        outputs.erase(same);
      } else if (!isInput[i]) {
        add(before[i], {nullptr, i});
      }
    }
    for (const tg_value_t *output : outputs)
      add(typeOf(*output, extents), {output});
  }

  /// Throws DataError if an output that gets a name does not exist, or two
  /// features have one name.
  void expectNames() const {
    std::string all;
    for (uint32_t k = 0; k < function.output_count; ++k)
      all += (k ? ", " : "") + std::string(function.outputs[k]->name);
    for (const auto &[output, name] : names) {
      bool exists = false;
      for (uint32_t k = 0; k < function.output_count; ++k)
        exists |= output == function.outputs[k]->name;
      if (!exists)
        throw DataError(std::string(function.name) +
                        ": expected one of the outputs " + all + ", found '" +
                        output + "'");
    }
    std::set<std::string> seen;
    for (const FeatureType &type : types)
      if (!seen.insert(type.name).second)
        throw DataError("expected features of different names, found two '" +
                        type.name + "'");
  }

  /// Throws RuntimeError if an input has no value, or a number no input.
  void expectNumbers() const {
    for (const auto &[name, value] : numbers)
      if (!feed.takesNumber(name))
        throw DataError(std::string(function.name) +
                        ": expected one of the inputs " + feed.numberNames() +
                        " for a number, found '" + name + "'");
    Random random(0, 0, 0, 0);
    feed.expectValues(numbersFor(random));
  }

  std::map<std::string, double> numbersFor(Random &random) const {
    std::map<std::string, double> all = numbers;
    // 31 bits, which each type of integers of at least 32 bits has.
    if (takesSeed)
      all[seedName] = static_cast<double>(random() >> 33);
    return all;
  }

  std::vector<Feature> run(Context &context, const Example &example,
                           Random &random) const {
    context.setSeed(static_cast<int64_t>(random()));
    const Outputs &outputs =
        context.run(function.name, feed.inputs(example, numbersFor(random)));
    std::vector<Feature> features;
    for (const Result &result : results)
      features.push_back(result.output ? featureOf(outputs, *result.output)
                                       : example.features[result.passed]);
    return features;
  }

  Model model;
  const tg_function_t &function;
  Feed feed;
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> names; // of the features of outputs
  mutable Contexts contexts;
  std::vector<Result> results;
  ExampleType types;
  bool takesSeed = false;
};

} // namespace

Dataset training::mapByLibrary(const Dataset &data, Model model,
                               const LibraryStageOptions &options) {
  try {
    const std::string name = model.tables().name;
    const auto call =
        std::make_shared<const Call>(data, std::move(model), options);
    std::string text = "library " + name + ", function " + options.function;
    for (const auto &[output, feature] : options.outputs)
      text += ", " + output + " as " + feature;
    for (const auto &[input, number] : options.numbers)
      text += ", " + input + " " + Json(number).dump();
    return data.map(
        [call](const Example &example, Random &random) {
          return (*call)(example, random);
        },
        {.type = call->type(), .seed = options.seed, .description = text});
  } catch (const RuntimeError &error) {
    throw DataError(error.what());
  }
}

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

/// Returns the only function of a model other than init. Throws DataError.
static std::string onlyFunction(const Model &model) {
  const tg_model_t &tables = model.tables();
  std::string found, all;
  uint32_t count = 0;
  for (uint32_t i = 0; i < tables.function_count; ++i) {
    const std::string name = tables.functions[i]->name;
    all += (i ? ", " : "") + name;
    if (name == "init")
      continue;
    found = name;
    ++count;
  }
  if (count != 1)
    throw DataError("expected a function, one of " + all + ", found none");
  return found;
}

/// Returns the path of a file that a description names.
static std::string pathOf(const std::string &name,
                          const std::string &directory) {
  return directory.empty() || name.empty()
             ? name
             : (std::filesystem::path(directory) / name).string();
}

/// Returns the options of a stage, but for the library.
static LibraryStageOptions optionsOf(Object &object,
                                     const StageDescription &stage) {
  LibraryStageOptions options;
  options.function = object.text("function", "");
  options.variables = pathOf(object.text("variables", ""), stage.directory);
  options.seed = stage.seed;
  if (const Json *numbers = object.find("set")) {
    if (!numbers->is_object())
      object.fail("set", "numbers of inputs by name", *numbers);
    for (const auto &[name, number] : numbers->items())
      options.numbers[name] =
          toNumber(number, memberPath(stage.path, "set." + name));
  }
  if (const Json *outputs = object.find("outputs")) {
    if (!outputs->is_object())
      object.fail("outputs", "names of features by those of outputs", *outputs);
    for (const auto &[output, feature] : outputs->items()) {
      if (!feature.is_string())
        object.fail("outputs", "names of features", *outputs);
      options.outputs[output] = feature.get<std::string>();
    }
  }
  return options;
}

static Dataset addLibraryStage(const Dataset &data,
                               const StageDescription &stage) {
  const Json json = Json::parse(stage.json);
  Object object(json, stage.path);
  const std::string path = pathOf(object.text("library", ""), stage.directory);
  LibraryStageOptions options = optionsOf(object, stage);
  object.expectNoOthers();
  try {
    Model model = Model::load(path);
    if (options.function.empty())
      options.function = onlyFunction(model);
    return mapByLibrary(data, std::move(model), options);
  } catch (const std::runtime_error &error) {
    throw DataError(stage.path + ": " + error.what());
  }
}

StageKind training::libraryStage() { return {"library", addLibraryStage}; }
