//===- TarSource.cpp - random access to the examples of archives ----------===//
#include "TarSource.h"

#include "runtime/data/Messages.h"

#include <algorithm>
#include <limits>

using namespace tg;
using namespace tg::data;

TarSource::TarSource(const std::vector<std::string> &paths,
                     std::vector<TarFeature> all, const TarOptions &options)
    : features(std::move(all)) {
  if (options.maxExampleBytes > std::numeric_limits<uint32_t>::max())
    throw DataError("expected a limit of less than 2^32 bytes, found " +
                    std::to_string(options.maxExampleBytes));
  archives.reserve(paths.size());
  for (const std::string &path : paths)
    namingFile(path, [&] { add(path, options, paths.size() > maxOpenFiles); });
}

void TarSource::add(const std::string &path, const TarOptions &options,
                    bool closes) {
  constexpr uint64_t limit = blockBytes * std::numeric_limits<uint32_t>::max();
  RecordFile file(path);
  if (file.size() > limit)
    throw DataError("expected at most " + std::to_string(limit) +
                    " bytes, found " + std::to_string(file.size()));
  std::vector<Contents> contents;
  std::vector<Contents> example(features.size());
  const auto take = [&](const std::vector<size_t> &users, const TarEntry &entry,
                        TarEntries &) {
    for (size_t index : users)
      example[index] = {static_cast<uint32_t>(entry.data / blockBytes),
                        static_cast<uint32_t>(entry.size)};
  };
  TarExamples examples(path, features, options);
  while (examples.next(take))
    contents.insert(contents.end(), example.begin(), example.end());
  contents.shrink_to_fit();
  file.expectUnchanged({file.path()});
  if (closes)
    file.closeBetweenReads();
  const uint64_t found = contents.size() / features.size();
  archives.push_back({std::move(file), std::move(contents), count});
  count += found;
}

const TarSource::Archive &TarSource::archiveOf(uint64_t index) const {
  if (index >= count)
    throw DataError("expected an example less than " + std::to_string(count) +
                    ", found " + std::to_string(index));
  const auto next = std::upper_bound(
      archives.begin(), archives.end(), index,
      [](uint64_t at, const Archive &archive) { return at < archive.first; });
  return *std::prev(next);
}

RecordPlace TarSource::placeOf(const Archive &in, uint64_t record,
                               size_t feature) const {
  const Contents &contents = in.contents[record * features.size() + feature];
  return {in.file.path(), record, (contents.block - uint64_t(1)) * blockBytes};
}

std::vector<Feature> TarSource::read(uint64_t index) const {
  const Archive &in = archiveOf(index);
  const uint64_t record = index - in.first;
  std::vector<Feature> values;
  for (size_t i = 0; i < features.size(); ++i) {
    const Contents &from = in.contents[record * features.size() + i];
    const RecordPlace place = placeOf(in, record, i);
    auto bytes = std::make_shared_for_overwrite<std::byte[]>(from.bytes);
    in.file.read(bytes.get(), from.bytes, from.block * blockBytes, place);
    try {
      values.push_back(features.decode(i, std::move(bytes), from.bytes));
    } catch (const DataError &error) {
      in.file.expectUnchanged(place);
      place.fail(error.what());
    }
  }
  in.file.expectUnchanged(placeOf(in, record, 0));
  return values;
}

std::string TarSource::place(uint64_t index) const {
  const Archive &in = archiveOf(index);
  return in.file.path() + ":" + std::to_string(index - in.first);
}

std::string TarSource::location(uint64_t index) const {
  const Archive &in = archiveOf(index);
  return placeOf(in, index - in.first, 0).text();
}

std::optional<uint64_t> TarSource::byte(uint64_t index) const {
  const Archive &in = archiveOf(index);
  return placeOf(in, index - in.first, 0).byte;
}
