/// Data sets in several files that do not fit into memory together.
#ifndef TG_TRAINING_BLOCKS_HPP
#define TG_TRAINING_BLOCKS_HPP

#include "npy.hpp"

#include <functional>
#include <future>
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
  Block(std::tuple<Table<T>...> loaded, const BatchOptions &choice)
      : tables(std::move(loaded)), options(choice) {}

  SequentialIterator<T...> batches() const {
    return std::apply(
        [&](const auto &...table) {
          return SequentialIterator<T...>(options, table.rows()...);
        },
        tables);
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
  std::tuple<Table<T>...> tables;
  BatchOptions options;
};

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
      : paths(std::move(files)), load(std::move(reader)), options(choice) {}
  DataBlocks(const DataBlocks &) = delete;

  /// Returns the number of blocks.
  size_t size() const { return paths.size(); }

  /// Returns the next block, which is valid until the next call, or null after
  /// the last block.
  const Block<T...> *next() {
    block.reset();
    if (nextIndex == paths.size())
      return nullptr;
    std::tuple<Table<T>...> loaded =
        preloaded.valid() ? preloaded.get() : load(paths[nextIndex]);
    ++nextIndex;
    if (options.preloads && nextIndex < paths.size())
      preloaded = std::async(std::launch::async, load, paths[nextIndex]);
    return &block.emplace(std::move(loaded), options.batches);
  }

  /// Starts again with the first block.
  void reset() {
    if (preloaded.valid())
      preloaded.wait();
    preloaded = {};
    block.reset();
    nextIndex = 0;
  }

private:
  std::vector<Paths> paths;
  Load load;
  DataBlockOptions options;
  size_t nextIndex = 0;
  std::optional<Block<T...>> block;
  std::future<std::tuple<Table<T>...>> preloaded;
};

} // namespace tg

#endif // TG_TRAINING_BLOCKS_HPP
