/// The examples of a tar archive, in order.
#ifndef TG_RUNTIME_DATA_ARCHIVES_TAREXAMPLES_H
#define TG_RUNTIME_DATA_ARCHIVES_TAREXAMPLES_H

#include "TarEntries.h"
#include "tg/data/tar.hpp"

#include <map>

namespace tg::data {

/// Returns true for the name of a compressed archive.
bool isCompressedTar(const std::string &path);

/// The features that examples have, and their extensions.
class TarFeatures {
public:
  /// Throws DataError for features that cannot be.
  explicit TarFeatures(std::vector<TarFeature> features);

  const ExampleType &type() const { return types; }
  size_t size() const { return features.size(); }
  const TarFeature &operator[](size_t index) const { return features[index]; }
  /// Returns the features that an extension has.
  const std::vector<size_t> &named(const std::string &extension) const;
  /// Decodes an entry. Throws DataError with the name of the feature.
  Feature decode(size_t index, std::shared_ptr<std::byte[]> bytes,
                 uint64_t size) const;

private:
  std::vector<TarFeature> features;
  ExampleType types;
  std::map<std::string, std::vector<size_t>> byExtension;
};

/// A pass over the examples of an archive.
class TarExamples {
public:
  /// Uses an entry for the features with these indices.
  using Take = std::function<void(const std::vector<size_t> &features,
                                  const TarEntry &entry, TarEntries &entries)>;

  TarExamples(const std::string &path, const TarFeatures &features,
              const TarOptions &options);

  /// Passes the entries of the next example to a function. Returns false at the
  /// end. Throws DataError for a wrong example. The next call continues after
  /// it, or, if the archive cannot be read further, returns false.
  bool next(const Take &take);
  /// The place of the last example.
  const RecordPlace &place() const { return current; }

private:
  /// Reads the next header. Returns false at the end.
  bool advance();
  /// Subtracts the size of the entry. Throws DataError if it is more, and ends
  /// the archive.
  void expectSmall(uint64_t &left);
  /// Takes an entry. `found` has the extensions that features were taken from.
  void use(const Take &take, std::vector<std::string> &found);

  const std::string name;
  const TarFeatures &features;
  uint64_t limit; // of the bytes of an example
  TarEntries entries;
  TarEntry entry;
  RecordPlace current{name};
  uint64_t count = 0;
  bool hasEntry = false, isEnded = false;
};

} // namespace tg::data

#endif // TG_RUNTIME_DATA_ARCHIVES_TAREXAMPLES_H
