/// Datasets, sequences of rows of arrays, and iterators that feed them to
/// programs of both modes.
///
///   Dataset data = Dataset::fromTensorSlices({images, labels}).batch(32);
///   for (const std::vector<Array> &batch : data) …          // in C++
///
///   Iterator iterator(program, data);                       // in a graph
///   std::vector<Tensor> next = iterator.getNext();
///   session.run(iterator.initializer());                    // each epoch
///   try { for (;;) session.run(train); } catch (const OutOfRangeError &) {}
#ifndef TG_GRAPH_DATASET_H
#define TG_GRAPH_DATASET_H

#include "../tensor/array.h"
#include "program.h"

#include <functional>

namespace tg {

/// The exception for a request of an element after the end of a dataset.
class OutOfRangeError : public GraphError {
public:
  using GraphError::GraphError;
};

struct ShuffleOptions {
  /// The seed, which determines the order together with the index of the pass.
  int64_t seed = 0;
  /// True if each pass has another order.
  bool reshuffles = true;
};

namespace data {
class Dataset;
} // namespace data

namespace dsl {
class ElementReader;
} // namespace dsl

/// A sequence of elements, each a list of arrays. Copies share the dataset.
/// Elements are read on demand, except that map() reads the first element
/// immediately. The stages are those of tg::Data (../data/dataset.hpp), which
/// also has readers of files.
class Dataset {
public:
  using Element = std::vector<Array>;
  /// Reads the next element. Returns false at the end.
  using Reader = std::function<bool(Element &element)>;

  /// Makes no dataset, to be assigned to.
  Dataset() = default;

  /// Makes a dataset of the rows of arrays. Throws GraphError if the arrays
  /// differ in their number of rows.
  static Dataset fromTensorSlices(
      std::vector<Array> arrays,
      std::source_location where = std::source_location::current());

  /// Makes a dataset of the examples of tg::Data, such as those of files
  /// (../data/pipeline.hpp), which `threads` threads prepare: with 1, the
  /// thread that reads. The arrays of an element are its features in their
  /// order. Throws GraphError for a feature of a type that is not in
  /// ../dtypes.h.
  static Dataset
  from(const data::Dataset &examples, uint32_t threads = 1,
       std::source_location where = std::source_location::current());

  /// Makes a dataset from a user-defined reader. `open` begins a pass at
  /// the first element; it takes the index of the pass. `types` are the types
  /// of the arrays of an element.
  static Dataset
  fromReader(std::vector<TensorType> types,
             std::function<Reader(int64_t pass)> open,
             std::source_location where = std::source_location::current());

  /// Applies a function to each element. The results must have the same types
  /// and shapes for all elements. With several threads, the function is called
  /// for up to `threads` elements concurrently; the elements stay in order.
  Dataset
  map(std::function<Element(const Element &)> function, uint32_t threads = 1,
      std::source_location where = std::source_location::current()) const;
  /// Shuffles blocks of `buffer` consecutive elements, or the whole dataset if
  /// the buffer holds it. All orders of a block are possible. The order is the
  /// same for the same seed and pass.
  Dataset
  shuffle(int64_t buffer, const ShuffleOptions &options = {},
          std::source_location where = std::source_location::current()) const;
  /// take() returns the first `count` elements, skip() all others.
  Dataset
  take(int64_t count,
       std::source_location where = std::source_location::current()) const;
  Dataset
  skip(int64_t count,
       std::source_location where = std::source_location::current()) const;
  /// Keeps the elements in memory once all were read. Later passes read
  /// nothing.
  Dataset cache() const;
  /// Batches `size` elements along a new dimension 0. The last batch may be
  /// smaller; `dropRemainder` drops it.
  Dataset
  batch(int64_t size, bool dropRemainder = false,
        std::source_location where = std::source_location::current()) const;
  /// Repeats the dataset `count` times, or forever if `count` is -1.
  Dataset repeat(int64_t count = -1) const;

  /// Returns the types of the arrays of an element. An extent that differs
  /// between elements is dim().
  const std::vector<TensorType> &types() const { return elementTypes; }
  /// Begins a pass. Shuffled data has the order of this pass.
  Reader read(int64_t pass = 0) const;

  /// For range-based loops.
  class Position;
  Position begin() const;
  Position end() const;

private:
  friend class dsl::ElementReader;
  struct State;
  /// Makes a dataset of examples with elements of these types.
  Dataset(std::vector<TensorType> types, data::Dataset examples,
          uint32_t threads, std::source_location where);
  /// Appends a stage, which a function adds to the examples.
  template <typename Add>
  Dataset stage(std::vector<TensorType> types, std::source_location where,
                Add add) const;

  std::vector<TensorType> elementTypes;
  std::shared_ptr<const State> state;
};

class Dataset::Position {
public:
  Position() = default;
  explicit Position(Reader next) : reader(std::move(next)) { ++*this; }
  const Element &operator*() const { return element; }
  Position &operator++() {
    isEnd = !reader(element);
    return *this;
  }
  bool operator!=(const Position &other) const { return isEnd != other.isEnd; }

private:
  Reader reader;
  Element element;
  bool isEnd = true;
};

namespace dsl {
/// The state of an iterator: its inputs in a graph, or its position in eager
/// mode.
struct IteratorState;
} // namespace dsl

/// A fetch that restarts an iterator when a session runs it. Each restart
/// begins another pass, with another order of shuffled data.
struct IteratorInitializer {
  std::shared_ptr<dsl::IteratorState> iterator;
  Dataset data;
};

struct IteratorOptions {
  /// Starts the iterator in every session without an initializer.
  bool isOneShot = false;
};

/// Iterates over a dataset, or follows another iterator that a handle selects
/// in each run. In a graph, each session has its own position. A run that needs
/// tensors of getNext(), and is not fed them, advances once and gives all of
/// these tensors the same element, or throws OutOfRangeError. In eager mode
/// getNext() advances immediately.
class Iterator {
public:
  Iterator(const Program &program, const Dataset &data,
           const IteratorOptions &options = {},
           std::source_location where = std::source_location::current());

  /// Makes an iterator that follows, in each run, the iterator of the graph
  /// whose handle() is fed:
  ///
  ///   Tensor handle = placeholder(i64, {});
  ///   Iterator either = Iterator::fromHandle(handle, training.types());
  ///   session.run(either.getNext(), {{handle, trainIterator.handle()}});
  ///
  /// TensorFlow: from_string_handle.
  static Iterator
  fromHandle(const Tensor &handle, const std::vector<TensorType> &types,
             std::source_location where = std::source_location::current());
  /// Returns the id of this iterator in its graph, to be fed to fromHandle()
  /// iterators.
  int64_t
  handle(std::source_location where = std::source_location::current()) const;

  /// Returns the arrays of the next element. In a graph every call returns the
  /// same tensors.
  std::vector<Tensor>
  getNext(std::source_location where = std::source_location::current()) const;
  /// Restarts the iterator, with its own dataset or with another one of the
  /// same types: in a graph when a session runs the result, in eager mode now.
  IteratorInitializer initializer(
      std::source_location where = std::source_location::current()) const;
  IteratorInitializer initializer(
      const Dataset &other,
      std::source_location where = std::source_location::current()) const;

private:
  friend class BaseSaver;
  explicit Iterator(std::shared_ptr<dsl::IteratorState> made)
      : state(std::move(made)) {}

  std::shared_ptr<dsl::IteratorState> state;
};

} // namespace tg

#endif // TG_GRAPH_DATASET_H
