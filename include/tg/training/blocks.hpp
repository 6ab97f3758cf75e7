/// Data sets in several files that do not fit into memory together. Needs the
/// library tg::Data.
#ifndef TG_TRAINING_BLOCKS_HPP
#define TG_TRAINING_BLOCKS_HPP

#include "../data/loader.hpp"
#include "npy.hpp"

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

namespace tg {

struct DataBlockOptions {
  BatchOptions batches = {};
  /// Loads the next block on a separate thread while the current one is used.
  bool preloads = false;
};

/// The arrays of one group of files, and their batches.
template <typename... T> class Block {
public:
  /// `loaded` are the arrays, in the order of T.
  Block(std::vector<data::Feature> loaded, const BatchOptions &choice)
      : arrays(std::move(loaded)), options(choice) {}

  SequentialIterator<T...> batches() const {
    return batches(std::index_sequence_for<T...>());
  }
  /// Splits the rows into the first ones, for training, and the rest, for
  /// validation, in this ratio. The default is 5 to 1.
  std::pair<SequentialIterator<T...>, SequentialIterator<T...>>
  split(size_t training = 5, size_t validation = 1) const {
    if (training + validation == 0)
      throw std::invalid_argument("expected a ratio of parts, found 0 to 0");
    const SequentialIterator<T...> all = batches();
    const auto end = static_cast<size_t>(
        static_cast<double>(all.size()) * static_cast<double>(training) /
        static_cast<double>(training + validation));
    return {all.slice(0, end), all.slice(end, all.size())};
  }

private:
  template <size_t... I>
  SequentialIterator<T...> batches(std::index_sequence<I...>) const {
    return {options, detail::rowsOf<T>(arrays[I])...};
  }

  std::vector<data::Feature> arrays;
  BatchOptions options;
};

namespace detail {

/// Groups of files as examples of a data set, whose features are the arrays.
template <typename... T> class BlockSource : public data::Source {
public:
  using Paths = std::vector<std::string>;
  using Load = std::function<std::tuple<Table<T>...>(const Paths &)>;

  BlockSource(std::vector<Paths> files, Load reader)
      : paths(std::move(files)), load(std::move(reader)) {
    const auto anyRows = [this](const data::Feature &none) {
      types.push_back({std::to_string(types.size()),
                       none.dtype(),
                       {data::FeatureType::anyExtent}});
    };
    (anyRows(featureOf(Rows<T>(std::span<const T>()), nullptr)), ...);
  }

  const data::ExampleType &type() const override { return types; }
  uint64_t size() const override { return paths.size(); }
  std::vector<data::Feature> read(uint64_t index) const override {
    const auto tables =
        std::make_shared<const std::tuple<Table<T>...>>(load(paths[index]));
    return std::apply(
        [&](const auto &...table) {
          return std::vector{featureOf(table.rows(), tables)...};
        },
        *tables);
  }
  std::string place(uint64_t index) const override {
    return paths[index].empty() ? std::to_string(index) : paths[index].front();
  }

private:
  std::vector<Paths> paths;
  Load load;
  data::ExampleType types;
};

} // namespace detail

/// The data of files, or of groups of files that are arrays with equal numbers
/// of rows, loaded one block at a time:
///
///   DataBlocks<float, int32_t> blocks(
///       {{"x0.npy", "y0.npy"}, {"x1.npy", "y1.npy"}}, {.preloads = true});
///   while (const auto *block = blocks.next())
///     for (auto [image, label] : block->batches())
template <typename... T> class DataBlocks {
public:
  /// The files of one block.
  using Paths = std::vector<std::string>;
  /// A reader for formats other than .npy. `next` propagates its exceptions.
  using Load = std::function<std::tuple<Table<T>...>(const Paths &)>;

  /// Constructs the blocks from groups of .npy files, which loadNpy() reads.
  explicit DataBlocks(std::vector<Paths> files, DataBlockOptions choice = {})
      : DataBlocks(std::move(files), loadNpy<T...>, choice) {}
  /// Does the same for a braced list of groups: {{"x0.npy", "y0.npy"}}.
  DataBlocks(std::initializer_list<Paths> files, DataBlockOptions choice = {})
      : DataBlocks(std::vector<Paths>(files), choice) {}

  DataBlocks(std::vector<Paths> files, Load reader,
             DataBlockOptions choice = {})
      : count(files.size()),
        blocks(data::Dataset::from(std::shared_ptr<const data::Source>(
            std::make_shared<detail::BlockSource<T...>>(std::move(files),
                                                        std::move(reader))))),
        options(choice) {}
  DataBlocks(const DataBlocks &) = delete;

  /// Returns the number of blocks.
  size_t size() const { return count; }

  /// Returns the next block, which is valid until the next call, or null after
  /// the last block.
  const Block<T...> *next() {
    block.reset();
    if (hasEnded)
      return nullptr;
    if (!loader)
      loader.emplace(blocks,
                     data::LoaderOptions{.threads = options.preloads ? 1u : 0u,
                                         .prefetch = 1});
    const data::Example *loaded = loader->next();
    hasEnded = !loaded;
    if (hasEnded)
      return nullptr;
    return &block.emplace(loaded->features, options.batches);
  }

  /// Starts again with the first block.
  void reset() {
    block.reset();
    loader.reset();
    hasEnded = false;
  }

private:
  size_t count;
  data::Dataset blocks;
  DataBlockOptions options;
  std::optional<data::Loader> loader;
  bool hasEnded = false;
  std::optional<Block<T...>> block;
};

} // namespace tg

#endif // TG_TRAINING_BLOCKS_HPP
