//===- Stages.cpp - stages that a description names -----------------------===//
#include "Stages.h"

using namespace tg::data;

/// Returns the kind of the only key of a description other than "of".
static const ChangeKind &kindOf(const Json &description, Object &object,
                                const std::string &path) {
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

Dataset tg::data::addChange(const Dataset &data, const Json &description,
                            const std::string &path, uint64_t seed) {
  Object object(description, path);
  const std::string name = object.text("of", "image");
  const ChangeKind &kind = kindOf(description, object, path);
  object.expectNoOthers();
  const size_t index = indexOf(data.type(), name, path);
  const std::string inside = memberPath(path, kind.name);
  Change change = kind.make(description[kind.name], inside);
  ExampleType type = data.type();
  try {
    type[index] = change.typeOf(type[index]);
  } catch (const DataError &error) {
    throw DataError(inside + ": " + error.what());
  }
  return data.map(
      [index, apply = std::move(change.apply), name](const Example &example,
                                                     Random &random) {
        std::vector<Feature> features = example.features;
        try {
          features[index] = apply(features[index], random);
        } catch (const DataError &error) {
          throw DataError("feature '" + name + "': " + error.what());
        }
        return features;
      },
      {.type = std::move(type), .seed = seed});
}
