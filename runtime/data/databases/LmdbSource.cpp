//===- LmdbSource.cpp - the values of an LMDB file ------------------------===//
#include "LmdbTree.h"
#include "runtime/data/Messages.h"
#include "tg/data/lmdb.hpp"

#include <filesystem>

using namespace tg;
using namespace tg::data;

class LmdbSource::State {
public:
  State(const std::string &path, const LmdbOptions &chosen)
      : options(chosen), pages(path), tree(pages) {
    pages.file().expectUnchanged({pages.file().path()});
  }

  /// A record and the page that its views belong to.
  struct Found {
    LmdbPage page;
    LmdbNode node;
    RecordPlace place;
  };

  /// Reads the page of a record. Throws DataError.
  Found find(uint64_t index) const {
    if (index >= tree.count())
      throw DataError("expected a record less than " +
                      std::to_string(tree.count()) + ", found " +
                      std::to_string(index));
    const LmdbTree::Leaf &leaf = tree.leafOf(index);
    RecordPlace place{pages.file().path(), index,
                      leaf.page * pages.meta().pageBytes};
    try {
      LmdbPage page = pages.page(leaf.page);
      const size_t key = LmdbTree::indexIn(leaf, index);
      if (!page.isLeaf() || key >= page.count())
        throw DataError("expected the page as it was when the file was opened, "
                        "found another one");
      const LmdbNode node = page.node(key);
      place.byte += node.offset;
      return {std::move(page), node, place};
    } catch (const DataError &error) {
      place.fail(error.what());
    }
  }

  std::vector<Feature> read(uint64_t index) const {
    const Found found = find(index);
    std::shared_ptr<std::byte[]> bytes;
    try {
      if (found.node.size > options.maxValueBytes)
        throw DataError("expected at most " +
                        std::to_string(options.maxValueBytes) +
                        " bytes, the limit of the reader, found " +
                        std::to_string(found.node.size));
      bytes = pages.value(found.node);
    } catch (const DataError &error) {
      found.place.fail(error.what());
    }
    pages.file().expectUnchanged(found.place);
    return {recordFeature(std::move(bytes), 0, found.node.size)};
  }

  LmdbOptions options;
  LmdbPages pages;
  LmdbTree tree;
};

/// Returns the path of the file of a database.
static std::string fileOf(const std::string &path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error))
    return path;
  return (std::filesystem::path(path) / "data.mdb").string();
}

LmdbSource::LmdbSource(const std::string &path, const LmdbOptions &options)
    : state(namingFile(fileOf(path), [&] {
        return std::make_unique<State>(fileOf(path), options);
      })) {}

LmdbSource::~LmdbSource() = default;

const ExampleType &LmdbSource::type() const {
  static const ExampleType type = {
      {"value", {TG_DTYPE_UINT, 8, 1}, {FeatureType::anyExtent}}};
  return type;
}

uint64_t LmdbSource::size() const { return state->tree.count(); }

std::vector<Feature> LmdbSource::read(uint64_t index) const {
  return state->read(index);
}

std::string LmdbSource::place(uint64_t index) const {
  return state->pages.file().path() + ":" + std::to_string(index);
}

std::optional<uint64_t> LmdbSource::byte(uint64_t index) const {
  return state->find(index).place.byte;
}

std::string LmdbSource::location(uint64_t index) const {
  try {
    return state->find(index).place.text();
  } catch (const DataError &) {
    // The file has changed.
    return state->pages.file().path() + ": record " + std::to_string(index);
  }
}

std::string LmdbSource::key(uint64_t index) const {
  return std::string(state->find(index).node.key);
}
