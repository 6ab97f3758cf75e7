//===- TarExamples.cpp - entries with equal base names --------------------===//
#include "TarExamples.h"

#include "EntryValues.h"
#include "runtime/data/arrays/FixedRecords.h"
#include "runtime/data/records/ExampleFormat.h"

#include <algorithm>
#include <optional>

using namespace tg;
using namespace tg::data;

bool tg::data::isCompressedTar(const std::string &path) {
  return path.ends_with(".gz") || path.ends_with(".tgz");
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

TarFeatures::TarFeatures(std::vector<TarFeature> all)
    : features(std::move(all)) {
  if (features.empty())
    throw DataError("expected at least one feature, found none");
  for (size_t i = 0; i < features.size(); ++i) {
    TarFeature &feature = features[i];
    checkDeclaration(feature);
    for (size_t k = 0; k < i; ++k)
      if (features[k].name == feature.name)
        failFeature(feature.name,
                    DataError("expected different names, found it twice"));
    if (feature.extensions.empty())
      feature.extensions = {feature.name};
    for (const std::string &extension : feature.extensions) {
      std::vector<size_t> &users = byExtension[extension];
      if (users.empty() || users.back() != i)
        users.push_back(i);
    }
    types.push_back({feature.name, feature.dtype, feature.shape});
  }
}

const std::vector<size_t> &
TarFeatures::named(const std::string &extension) const {
  static const std::vector<size_t> none;
  const auto found = byExtension.find(extension);
  return found == byExtension.end() ? none : found->second;
}

Feature TarFeatures::decode(size_t index, std::shared_ptr<std::byte[]> bytes,
                            uint64_t size) const {
  const char *first = reinterpret_cast<const char *>(bytes.get());
  try {
    return decodeEntry(features[index], {first, size}, std::move(bytes));
  } catch (const DataError &error) {
    failFeature(features[index].name, error);
  }
}

//===----------------------------------------------------------------------===//
// Examples
//===----------------------------------------------------------------------===//

/// Returns the limit of an example, which is less for a small compressed file.
static uint64_t limitOf(const std::string &path, const TarOptions &options) {
  if (!isCompressedTar(path))
    return options.maxExampleBytes;
  FileIdentity identity;
  openRegular(path, identity);
  return std::min(options.maxExampleBytes, contentsLimit(identity.size));
}

TarExamples::TarExamples(const std::string &path, const TarFeatures &all,
                         const TarOptions &options)
    : name(path), features(all), limit(limitOf(name, options)),
      entries(openBytes(name, isCompressedTar(name))) {}

bool TarExamples::advance() {
  try {
    hasEntry = entries.next(entry, limit);
    isEnded = !hasEntry;
  } catch (const DataError &error) {
    hasEntry = false;
    isEnded = true;
    RecordPlace{name, count, entries.byte()}.fail(error.what());
  }
  return hasEntry;
}

void TarExamples::use(const Take &take, std::vector<std::string> &found) {
  const std::vector<size_t> &users = features.named(entry.extension);
  if (users.empty())
    return;
  for (size_t index : users) {
    if (!found[index].empty())
      failFeature(features[index].name,
                  DataError("expected one entry in an example, found ." +
                            found[index] + " and ." + entry.extension));
    found[index] = entry.extension;
  }
  take(users, entry, entries);
}

void TarExamples::expectSmall(uint64_t &left) {
  if (entry.size <= left) {
    left -= entry.size;
    return;
  }
  hasEntry = false;
  isEnded = true;
  RecordPlace{name, count, entry.byte}.fail(
      "expected at most " + std::to_string(limit) +
      " bytes of an example, the limit of the reader, found more");
}

bool TarExamples::next(const Take &take) {
  uint64_t left = limit;
  if (isEnded || (!hasEntry && !advance()))
    return false;
  current.number = count;
  current.byte = entry.byte;
  const std::string base = entry.base;
  std::vector<std::string> found(features.size());
  std::string error; // the first one
  do {
    expectSmall(left);
    try {
      use(take, found);
    } catch (const DataError &failure) {
      if (error.empty())
        error =
            RecordPlace{name, count, entry.byte}.text() + ": " + failure.what();
    }
  } while (advance() && entry.base == base);
  ++count;
  const auto missing = std::find(found.begin(), found.end(), "");
  if (error.empty() && missing != found.end()) {
    const TarFeature &feature =
        features[static_cast<size_t>(std::distance(found.begin(), missing))];
    error = current.text() + ": feature " + quoteName(feature.name) +
            ": expected an entry " +
            quoteName(base + "." + feature.extensions.front()) + ", found none";
  }
  if (!error.empty())
    throw DataError(error);
  return true;
}
