/// Writes data sets to files.
#include "Commands.h"
#include "Sources.h"
#include "tg/data/arrays.hpp"
#include "tg/data/example.hpp"
#include "tg/data/loader.hpp"
#include "tg/data/tar.hpp"

#include <algorithm>
#include <cstdio>

using namespace tg;
using namespace tg::data;

/// Throws DataError for a data set without an end.
static void expectEnd(const Dataset &data) {
  if (data.hasRandomAccess() && !data.size())
    throw DataError("expected a data set with an end, found an endless one");
}

/// Copies the records of one TFRecord file to another.
static void copyRecords(const CommandLine &line, Compression encoding) {
  const std::unique_ptr<Stream::Reader> reader =
      TFRecordStream({line.source}).open(0);
  TFRecordWriter writer(line.target, encoding);
  for (std::vector<Feature> record; reader->next(record);)
    writer.write(record[0].bytes());
  writer.close();
}

/// Returns a feature as the value of a record: single numbers of 32-bit floats
/// and integers as they are, everything else as raw bytes.
static ExampleValue valueOf(const std::string &name, const Feature &feature) {
  const bool isFloat =
      feature.dtype().code == TG_DTYPE_FLOAT && feature.dtype().bits == 32;
  const bool isInteger = feature.dtype().code != TG_DTYPE_FLOAT;
  if (!feature.shape().empty() || !(isFloat || isInteger))
    return rawValue(name, feature);
  ExampleValue value{name, isFloat ? ExampleKind::floats : ExampleKind::int64s};
  value.count = 1;
  value.numbers = feature.reshaped({1});
  return value;
}

/// Calls write(type, example) for the examples of an epoch.
template <typename Write>
static void visitExamples(const CommandLine &line, Write write) {
  const Dataset data = openData(line.source);
  expectEnd(data);
  Loader loader(data, {.threads = line.threads, .prefetch = line.prefetch},
                {line.epoch, {}});
  while (const Example *example = loader.next())
    write(data.type(), *example);
}

static void writeRecords(const CommandLine &line, Compression encoding) {
  TFRecordWriter writer(line.target, encoding);
  visitExamples(line, [&](const ExampleType &type, const Example &example) {
    std::vector<ExampleValue> values;
    for (size_t i = 0; i < type.size(); ++i)
      values.push_back(valueOf(type[i].name, example.features[i]));
    writer.write(writeExample(values));
  });
  writer.close();
}

/// Writes an archive whose examples have their numbers as names.
static void writeTar(const CommandLine &line) {
  TarWriter writer(line.target);
  unsigned long long number = 0;
  visitExamples(line, [&](const ExampleType &type, const Example &example) {
    char base[32];
    std::snprintf(base, sizeof(base), "%08llu", number++);
    writer.write(base, type, example.features);
  });
  writer.close();
}

/// Writes the examples of an epoch as arrays with a row for each.
static void writeArrays(const CommandLine &line) {
  Dataset data = openData(line.source);
  expectEnd(data);
  constexpr uint64_t all = uint64_t(1) << 62;
  Loader loader(data.batch({.size = all}),
                {.threads = line.threads, .prefetch = line.prefetch},
                {line.epoch, {}});
  const Example *whole = loader.next();
  if (!whole)
    throw DataError(line.source + ": expected at least one record, found none");
  std::vector<NamedFeature> arrays;
  for (size_t i = 0; i < data.type().size(); ++i)
    arrays.push_back({data.type()[i].name, whole->features[i]});
  writeNpz(line.target, arrays);
}

void tg::convert(const CommandLine &line) {
  const std::optional<Compression> encoding = recordEncodingOf(line.target);
  if (encoding && isTFRecordName(line.source))
    copyRecords(line, *encoding);
  else if (encoding)
    writeRecords(line, *encoding);
  else if (line.target.ends_with(".npz"))
    writeArrays(line);
  else if (isTarName(line.target))
    writeTar(line);
  else
    throw DataError(line.target + ": expected the ending .tfrecord, "
                                  ".tfrecord.gz, .tfrecord.zlib, .tar, "
                                  ".tar.gz or .npz, found another one");
}

void tg::writeBatches(const CommandLine &line) {
  if (!line.output.ends_with(".npz"))
    throw UsageError{"expected --output=FILE.npz, found '" + line.output + "'"};
  const Dataset data = openData(line.source);
  if (!line.steps)
    expectEnd(data);
  const Range steps = line.steps.value_or(Range{0, ~uint64_t(0)});
  Position start{line.epoch, {}};
  // The position of a data set with random access is an index.
  if (data.hasRandomAccess() && steps.begin <= data.size().value_or(~0ull))
    start.numbers = {steps.begin};
  const uint64_t first = start.numbers.empty() ? 0 : steps.begin;
  Loader loader(data, {.threads = line.threads, .prefetch = line.prefetch},
                start);
  std::vector<NamedFeature> arrays;
  for (uint64_t step = first; step < steps.end; ++step) {
    const Example *element = loader.next();
    if (!element)
      break;
    for (size_t i = 0; step >= steps.begin && i < data.type().size(); ++i)
      arrays.push_back({data.type()[i].name + "." + std::to_string(step),
                        element->features[i]});
  }
  writeNpz(line.output, arrays);
}
