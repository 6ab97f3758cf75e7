//===- Pipeline.cpp - data sets that a text in JSON describes -------------===//
#include "tg/data/pipeline.hpp"

#include "Formats.h"
#include "Paths.h"
#include "Stages.h"

#include <filesystem>

using namespace tg::data;
namespace fs = std::filesystem;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

static Dataset build(const Json &description, const std::string &path,
                     const Opening &opening);

static std::vector<Dataset> buildAll(const Json &list, const std::string &path,
                                     const Opening &opening) {
  if (!list.is_array() || list.empty())
    throw DataError(path + ": expected a list of data sets, found " +
                    textOf(list));
  std::vector<Dataset> sets;
  for (size_t i = 0; i < list.size(); ++i)
    sets.push_back(
        build(list[i], path + "[" + std::to_string(i) + "]", opening));
  return sets;
}

/// Opens files. Their images stay encoded if changes follow, which may need
/// less of them, but not if examples are kept in memory.
static EncodedDataset openFilesOf(Object &object, const Json &files,
                                  const std::string &directory) {
  EncodedDataset opened = openAll(pathsOf(files, directory), object);
  const Json *map = object.find("map");
  if (!map || map->empty() || object.truth("cache", false))
    return opened.decoded();
  // This stage stands for the one that decodes, so that the numbers of those
  // that follow, and their random choices, are the same.
  if (opened.encoded)
    opened.data = opened.data.map(
        [](const Example &example, Random &) { return example.features; });
  return opened;
}

/// Opens the source of a description: files, or other data sets.
static EncodedDataset openSourceOf(Object &object, const Opening &opening,
                                   uint64_t seed) {
  const Json *features = object.find("features");
  const Json *files = object.find("files");
  const Json *zip = object.find("zip");
  const Json *concatenate = object.find("concatenate");
  const Json *interleave = object.find("interleave");
  const Json *mix = object.find("mix");
  const Json *weights = object.find("weights");
  const uint64_t block = object.whole("block", 1);
  if ((files != nullptr) + (zip != nullptr) + (concatenate != nullptr) +
          (interleave != nullptr) + (mix != nullptr) !=
      1)
    throw DataError((object.path().empty() ? "" : object.path() + ": ") +
                    "expected one of files, zip, concatenate, interleave and "
                    "mix, found none or several");
  const auto inside = [&](const char *key) {
    return memberPath(object.path(), key);
  };
  if (files)
    return openFilesOf(object, *files, opening.directory);
  if (features)
    object.fail("features", "none beside other data sets", *features);
  if (zip)
    return {Dataset::zip(buildAll(*zip, inside("zip"), opening))};
  if (concatenate)
    return {Dataset::concatenate(
        buildAll(*concatenate, inside("concatenate"), opening))};
  if (interleave)
    return {Dataset::interleave(
        buildAll(*interleave, inside("interleave"), opening), block)};
  const std::vector<Dataset> sets = buildAll(*mix, inside("mix"), opening);
  return {Dataset::mix(sets,
                       weights ? toNumbers(*weights, inside("weights"))
                               : std::vector<double>(sets.size(), 1),
                       seed)};
}

//===----------------------------------------------------------------------===//
// Stages, in this order
//===----------------------------------------------------------------------===//

static Dataset addSelections(Dataset data, Object &object) {
  if (const Json *filter = object.find("filter"))
    data = addFilter(data, *filter, memberPath(object.path(), "filter"));
  if (object.truth("cache", false))
    data = data.cache();
  if (const Json *skip = object.find("skip"))
    data = data.skip(toWhole(*skip, memberPath(object.path(), "skip")));
  if (const Json *take = object.find("take"))
    data = data.take(toWhole(*take, memberPath(object.path(), "take")));
  if (const Json *shard = object.find("shard")) {
    if (!shard->is_array() || shard->size() != 2)
      object.fail("shard", "[count, index]", *shard);
    const std::string path = memberPath(object.path(), "shard");
    data = data.shard(toWhole((*shard)[0], path), toWhole((*shard)[1], path));
  }
  return data;
}

static Dataset addShuffle(const Dataset &data, Object &object, uint64_t seed) {
  const Json *shuffle = object.find("shuffle");
  const bool reshuffles = object.truth("reshuffle", true);
  if (!shuffle || *shuffle == false)
    return data;
  if (*shuffle == true)
    return data.shuffle({.seed = seed, .reshuffles = reshuffles});
  const uint64_t buffer =
      toWhole(*shuffle, memberPath(object.path(), "shuffle"));
  if (!buffer)
    object.fail("shuffle", "true, false or a buffer of at least 1", *shuffle);
  return data.shuffle(
      {.seed = seed, .buffer = buffer, .reshuffles = reshuffles});
}

static Dataset addBatch(Dataset data, Object &object) {
  if (const Json *repeat = object.find("repeat")) {
    const bool isEndless = *repeat == true;
    const uint64_t count =
        isEndless || *repeat == false
            ? !isEndless
            : toWhole(*repeat, memberPath(object.path(), "repeat"));
    if (!isEndless && !count)
      object.fail("repeat", "true or at least 1", *repeat);
    if (count != 1)
      data = data.repeat(count);
  }
  const Json *batch = object.find("batch");
  const std::string remainder = object.text("remainder", "keep");
  const bool pads = object.truth("pad", false);
  if (remainder != "keep" && remainder != "drop")
    object.fail("remainder", "\"keep\" or \"drop\"", remainder);
  if (!batch)
    return data;
  return data.batch(
      {.size = toWhole(*batch, memberPath(object.path(), "batch")),
       .dropsRemainder = remainder == "drop",
       .pads = pads});
}

/// Returns the value of a key as a list of whole numbers.
static std::vector<uint64_t> wholesOf(Object &object, const std::string &key) {
  const Json &list = object.require(key);
  std::vector<uint64_t> numbers;
  if (!list.is_array())
    object.fail(key, "a list of whole numbers", list);
  for (const Json &number : list)
    numbers.push_back(toWhole(number, memberPath(object.path(), key)));
  return numbers;
}

/// Appends the stage that joins examples of similar length, if there is one.
static Dataset addBuckets(Dataset data, Object &object) {
  const Json *bucket = object.find("bucket");
  if (!bucket)
    return data;
  if (object.find("batch"))
    object.fail("bucket", "none beside batch", *bucket);
  Object described(*bucket, memberPath(object.path(), "bucket"));
  BucketOptions options;
  options.feature = described.text("of", data.type()[0].name);
  options.boundaries = wholesOf(described, "boundaries");
  options.sizes = wholesOf(described, "sizes");
  options.pads = described.truth("pad", true);
  options.dropsRemainder = object.text("remainder", "keep") == "drop";
  described.expectNoOthers();
  try {
    return data.bucketed(std::move(options));
  } catch (const DataError &error) {
    throw DataError(described.path() + ": " + error.what());
  }
}

static Dataset build(const Json &description, const std::string &path,
                     const Opening &opening) {
  Object object(description, path);
  const uint64_t seed = object.whole("seed", 0);
  EncodedDataset source = openSourceOf(object, opening, seed);
  source.data = addSelections(std::move(source.data), object);
  source.data = addShuffle(source.data, object, seed);
  Dataset data = source.data;
  if (const Json *map = object.find("map"))
    data = addChanges(source, *map, memberPath(path, "map"), seed, opening);
  data = addBuckets(addBatch(std::move(data), object), object);
  if (const Json *map = object.find("map_batches"))
    data =
        addChanges(data, *map, memberPath(path, "map_batches"), seed, opening);
  object.expectNoOthers();
  return data;
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

Dataset tg::data::openDescription(const std::string &json,
                                  const std::string &directory,
                                  const SourceOptions &options) {
  return build(parseJson(json, "a description in JSON"), "",
               {directory, options});
}

Dataset tg::data::openSource(const std::string &source,
                             const SourceOptions &options) {
  if (source.starts_with("{"))
    return openDescription(source, "", options);
  if (!source.ends_with(".json"))
    return openFiles({source});
  const std::string text = readText(source);
  try {
    return openDescription(text, fs::path(source).parent_path().string(),
                           options);
  } catch (const DataError &error) {
    throw DataError(source + ": " + error.what());
  }
}
