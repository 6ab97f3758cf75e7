//===- Stages.cpp - stages that a description names -----------------------===//
#include "Stages.h"

#include "BatchStages.h"

using namespace tg::data;

/// Returns the kind of the only key of a description other than "of".
static const ChangeKind &kindOf(const Json &description, Object &object,
                                const std::string &path,
                                const SourceOptions &options) {
  const ChangeKind *found = nullptr;
  std::string all;
  for (const std::span<const ChangeKind> &kinds :
       {imageChanges(), plainChanges()})
    for (const ChangeKind &kind : kinds) {
      all += (all.empty() ? "" : ", ") + std::string(kind.name);
      if (!description.contains(kind.name))
        continue;
      if (found)
        throw DataError(path + ": expected one stage, found '" + found->name +
                        "' and '" + kind.name + "'");
      found = &kind;
      object.find(kind.name);
    }
  for (const StageKind &kind : batchStages())
    all += ", " + kind.key;
  for (const StageKind &kind : options.stages)
    all += ", " + kind.key;
  if (!found)
    throw DataError(path + ": expected one of the stages " + all + ", found " +
                    textOf(description));
  return *found;
}

static size_t indexOf(const ExampleType &type, const std::string &name,
                      const std::string &path) {
  std::string all;
  for (size_t i = 0; i < type.size(); ++i) {
    if (type[i].name == name)
      return i;
    all += (i ? ", " : "") + type[i].name;
  }
  throw DataError(path + ": expected one of the features " + all + ", found '" +
                  name + "'");
}

namespace {

/// A change of the feature with an index and a name.
struct Step {
  size_t index;
  std::string name;
  Change change;
};

/// The features of one example while they are changed. Images are decoded and
/// converted to f32 as late as possible.
class ChangedFeatures {
public:
  ChangedFeatures(std::vector<Feature> all,
                  const std::optional<Encoded> &images)
      : features(std::move(all)), encoded(images),
        forms(features.size(), Form::whole) {
    for (size_t i = 0; images && i < features.size(); ++i)
      if (images->isImage[i])
        forms[i] = Form::encoded;
  }

  void apply(const Step &step, Random &random) {
    Feature &feature = features[step.index];
    Form &form = forms[step.index];
    const Change &change = step.change;
    if (form == Form::encoded && change.applyToEncoded) {
      encoded->expectShape(step.index, imageShape(feature.bytes()));
      feature = change.applyToEncoded(feature.bytes(), random);
      form = Form::whole;
      return;
    }
    decode(step.index);
    if (form == Form::bytes && change.applyToBytes) {
      feature = change.applyToBytes(feature, random);
      form = formOf(feature);
      return;
    }
    complete(step.index);
    feature = change.apply(feature, random);
  }
  /// Makes a feature one of its declared type.
  void complete(size_t index) {
    decode(index);
    if (forms[index] == Form::bytes)
      features[index] = toFloat(features[index]);
    forms[index] = Form::whole;
  }

  std::vector<Feature> features;

private:
  /// The form of a feature: an encoded image, an image of ui8 that stands for
  /// one of f32, or what its type says.
  enum class Form { encoded, bytes, whole };

  static Form formOf(const Feature &image) {
    return image.dtype().bits == 8 ? Form::bytes : Form::whole;
  }
  void decode(size_t index) {
    if (forms[index] != Form::encoded)
      return;
    Feature image = encoded->decode(index, features[index]);
    features[index] = image.dtype().bits == 8 ? image : toFloat(image);
    forms[index] = formOf(image);
  }

  const std::optional<Encoded> &encoded;
  std::vector<Form> forms;
};

/// Stages as one function.
struct Steps {
  std::vector<Step> steps;
  std::optional<Encoded> encoded;

  std::vector<Feature> operator()(const Example &example,
                                  const Random &random) const {
    ChangedFeatures changed(example.features, encoded);
    for (size_t i = 0; i < steps.size(); ++i) {
      Random own = random.later(i);
      naming(steps[i].name, [&] { changed.apply(steps[i], own); });
    }
    for (size_t i = 0; encoded && i < changed.features.size(); ++i)
      naming(encoded->types[i].name, [&] { changed.complete(i); });
    return std::move(changed.features);
  }

private:
  /// Calls a function, and adds the name of a feature to a DataError.
  template <typename Function>
  static void naming(const std::string &name, Function function) {
    try {
      function();
    } catch (const DataError &error) {
      throw DataError("feature '" + name + "': " + error.what());
    }
  }
};

} // namespace

/// Returns the stage that `description` names, and updates the type of its
/// feature.
static Step makeStep(const Json &description, const std::string &path,
                     ExampleType &type, const SourceOptions &options) {
  Object object(description, path);
  Step step;
  step.name = object.text("of", "image");
  const ChangeKind &kind = kindOf(description, object, path, options);
  object.expectNoOthers();
  step.index = indexOf(type, step.name, path);
  const std::string inside = memberPath(path, kind.name);
  step.change = kind.make(description[kind.name], inside);
  try {
    type[step.index] = step.change.typeOf(type[step.index]);
  } catch (const DataError &error) {
    throw DataError(inside + ": " + error.what());
  }
  return step;
}

/// Returns the kind of a stage that changes several features, or that the
/// program adds, or null.
static const StageKind *addedKind(const Json &stage,
                                  const SourceOptions &options) {
  if (stage.is_object())
    for (const StageKind &kind : batchStages())
      if (stage.contains(kind.key))
        return &kind;
  for (const StageKind &kind : options.stages)
    if (stage.is_object() && stage.contains(kind.key))
      return &kind;
  return nullptr;
}

namespace {

/// A data set, and stages that follow it as one function.
class Chain {
public:
  Chain(const EncodedDataset &source, uint64_t randomSeed)
      : data(source.data), encoded(source.encoded),
        type(encoded ? encoded->types : data.type()), seed(randomSeed) {}

  void add(const Json &stage, const std::string &path,
           const SourceOptions &options) {
    steps.push_back(makeStep(stage, path, type, options));
    text.push_back(stage);
  }
  /// Appends a stage of a kind that the program adds.
  void add(const StageKind &kind, const StageDescription &stage) {
    data = kind.add(take(), stage);
    type = data.type();
  }
  /// Returns the data set with all stages. Images are decoded.
  Dataset take() {
    if (!steps.empty() || encoded)
      data = data.map(Steps{steps, encoded}, {.type = type,
                                              .seed = seed,
                                              .stages = steps.size(),
                                              .description = text.dump()});
    steps.clear();
    encoded.reset();
    text = Json::array();
    return data;
  }

private:
  Dataset data;
  std::optional<Encoded> encoded;
  ExampleType type;
  uint64_t seed;
  std::vector<Step> steps;
  Json text = Json::array();
};

} // namespace

Dataset tg::data::addChanges(const EncodedDataset &source, const Json &list,
                             const std::string &path, uint64_t seed,
                             const Opening &opening) {
  if (!list.is_array())
    throw DataError(path + ": expected a list of stages, found " +
                    textOf(list));
  if (list.empty())
    return source.decoded();
  Chain chain(source, seed);
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string inside = path + "[" + std::to_string(i) + "]";
    const StageKind *added = addedKind(list[i], opening.options);
    if (added)
      chain.add(*added, {list[i].dump(), inside, opening.directory, seed});
    else
      chain.add(list[i], inside, opening.options);
  }
  return chain.take();
}
