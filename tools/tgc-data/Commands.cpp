/// Describes, checks and lists data sets.
#include "Commands.h"

#include "Sources.h"
#include "tg/data/loader.hpp"
#include "tg/data/records.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace tg;
using namespace tg::data;

static constexpr Command commands[] = {
    {"info", 1, printInfo},
    {"verify", 1, verify},
    {"dump", 1, dump},
    {"convert", 2, convert},
    {"batches", 1, writeBatches},
    {"order", 1, printOrder},
    {"bench", 1, bench},
};

const Command *tg::findCommand(const std::string &name) {
  for (const Command &command : commands)
    if (name == command.name)
      return &command;
  return nullptr;
}

std::string tg::listCommands() {
  std::string all;
  for (const Command &command : commands)
    all += (all.empty() ? "" : ", ") + std::string(command.name);
  return all;
}

/// Returns the number of elements of an epoch, by reading them if it is not
/// known.
static uint64_t countElements(const Dataset &data, const CommandLine &line) {
  if (const std::optional<uint64_t> size = data.size())
    return *size;
  if (data.hasRandomAccess())
    throw DataError("expected a data set with an end, found an endless one");
  Loader loader(data, {.threads = line.threads, .prefetch = line.prefetch});
  uint64_t count = 0;
  while (loader.next())
    ++count;
  return count;
}

static void printCount(const char *name, uint64_t count) {
  std::printf("%s: %llu\n", name, static_cast<unsigned long long>(count));
}

void tg::printInfo(const CommandLine &line) {
  // A TFRecord file may have no record, or records of another type than
  // tf.train.Example.
  if (isTFRecordName(line.source) && !hasFeatures(line.source)) {
    printCount("records", countRecords(line.source));
    return;
  }
  const Dataset data = openData(line.source);
  printCount("records", countElements(data.unbatched(), line));
  if (data.unbatched().type()[0].shape != data.type()[0].shape)
    printCount("steps", countElements(data, line));
  for (const FeatureType &feature : data.type())
    std::printf("%s: %s\n", feature.name.c_str(), feature.text().c_str());
}

void tg::verify(const CommandLine &line) {
  uint64_t count = 0;
  if (isTFRecordName(line.source)) {
    count = verifyTFRecords(line.source);
  } else {
    const Dataset data = openData(line.source).unbatched();
    if (data.hasRandomAccess() && !data.size())
      throw DataError("expected a data set with an end, found an endless one");
    Loader loader(data, {.threads = line.threads, .prefetch = line.prefetch},
                  {line.epoch, {}});
    while (loader.next())
      ++count;
  }
  printCount("records", count);
}

void tg::printOrder(const CommandLine &line) {
  const Dataset data = openData(line.source);
  if (!data.hasRandomAccess())
    throw DataError("expected a data set with random access, found one that is "
                    "read in order");
  Range steps = line.steps.value_or(Range{0, ~uint64_t(0)});
  if (const std::optional<uint64_t> size = data.size())
    steps.end = std::min(steps.end, *size);
  else if (!line.steps)
    throw UsageError{"expected --steps for an endless data set, found none"};
  for (uint64_t step = steps.begin; step < steps.end; ++step) {
    std::string text = std::to_string(step);
    for (const std::string &place : data.places(line.epoch, step))
      text += " " + place;
    std::puts(text.c_str());
  }
}

void tg::bench(const CommandLine &line) {
  const Dataset data = openData(line.source);
  Loader loader(data, {.threads = line.threads, .prefetch = line.prefetch});
  const uint64_t limit = line.steps ? line.steps->end : ~uint64_t(0);
  uint64_t steps = 0, rows = 0, bytes = 0;
  const auto begin = std::chrono::steady_clock::now();
  while (steps < limit) {
    const Example *element = loader.next();
    if (!element)
      break;
    ++steps;
    const std::vector<int64_t> &shape = element->features.front().shape();
    rows += shape.empty() ? 1 : static_cast<uint64_t>(shape.front());
    for (const Feature &feature : element->features)
      bytes += feature.byteCount();
  }
  const std::chrono::duration<double> time =
      std::chrono::steady_clock::now() - begin;
  std::printf("%llu elements in %.3f s: %.1f elements/s, %.1f rows/s, %.3f "
              "GB/s\n",
              static_cast<unsigned long long>(steps), time.count(),
              static_cast<double>(steps) / time.count(),
              static_cast<double>(rows) / time.count(),
              static_cast<double>(bytes) / time.count() / 1e9);
}
