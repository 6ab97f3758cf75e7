/// Data as rows of arrays, one after the other, and iterators that bring them
/// into programs of both modes.
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

/// The end of a dataset, met by who asked for another element.
class OutOfRangeError : public GraphError {
public:
  using GraphError::GraphError;
};

struct ShuffleOptions {
  /// The seed of the order, which also depends on the number of the pass.
  int64_t seed = 0;
  /// True if each pass has another order.
  bool reshuffles = true;
};

/// A list of elements, each some arrays. Copies are the same; nothing is read
/// before it is asked for, but the first element by map().
class Dataset {
public:
  using Element = std::vector<Array>;
  /// Gives the next element; false at the end.
  using Reader = std::function<bool(Element &element)>;

  /// The rows of arrays that have equally many. Throws GraphError otherwise.
  static Dataset fromTensorSlices(
      std::vector<Array> arrays,
      std::source_location where = std::source_location::current());

  /// Returns a data set that a function reads: `open` begins a pass, whose
  /// number it is given, from the beginning; elements are of these types.
  static Dataset
  fromReader(std::vector<TensorType> types,
             std::function<Reader(int64_t pass)> open,
             std::source_location where = std::source_location::current());

  /// Returns the results of a function of each element; it gives arrays of the
  /// same types and shapes for all. Several threads call it for several
  /// elements at once; their order stays.
  Dataset
  map(std::function<Element(const Element &)> function, uint32_t threads = 1,
      std::source_location where = std::source_location::current()) const;
  /// Each time one of the next so many elements: all orders where that is all
  /// of them. The same for the same seed and pass.
  Dataset
  shuffle(int64_t buffer, const ShuffleOptions &options = {},
          std::source_location where = std::source_location::current()) const;
  /// The first so many elements, and all but these.
  Dataset
  take(int64_t count,
       std::source_location where = std::source_location::current()) const;
  Dataset
  skip(int64_t count,
       std::source_location where = std::source_location::current()) const;
  /// Kept in memory once all of it was read: later passes read nothing.
  Dataset cache() const;
  /// So many elements as one, along a new dimension 0; the last one may have
  /// fewer, or is left out.
  Dataset
  batch(int64_t size, bool dropRemainder = false,
        std::source_location where = std::source_location::current()) const;
  /// All of it so many times, -1 for ever.
  Dataset repeat(int64_t count = -1) const;

  /// Returns the types of its elements; dim() where they differ.
  const std::vector<TensorType> &types() const { return elementTypes; }
  /// Reads from the beginning; what is shuffled has the order of this pass.
  Reader read(int64_t pass = 0) const { return open(pass); }

  /// For range-based loops.
  class Position;
  Position begin() const;
  Position end() const;

private:
  std::vector<TensorType> elementTypes;
  std::function<Reader(int64_t pass)> open;
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
/// The state of an iterator: its place in a graph, or its position in eager
/// mode.
struct IteratorState;
} // namespace dsl

/// Begins an iterator anew when a session runs it. Shuffled data has the order
/// of another pass each time.
struct IteratorInitializer {
  std::shared_ptr<dsl::IteratorState> iterator;
  Dataset data;
};

struct IteratorOptions {
  /// Every session begins it by itself.
  bool isOneShot = false;
};

/// Goes through a dataset, or, where a handle chooses it in each run, what
/// another iterator goes through. In a graph, each session has a place of its
/// own: a run that needs tensors of getNext(), and is not fed them, takes the
/// next element, one for all of them, or throws OutOfRangeError. In eager mode
/// getNext() takes it at once.
class Iterator {
public:
  Iterator(const Program &program, const Dataset &data,
           const IteratorOptions &options = {},
           std::source_location where = std::source_location::current());

  /// Follows in each run the iterator of the graph whose handle() it is fed:
  ///
  ///   Tensor handle = placeholder(i64, {});
  ///   Iterator either = Iterator::fromHandle(handle, training.types());
  ///   session.run(either.getNext(), {{handle, trainIterator.handle()}});
  ///
  /// TensorFlow: from_string_handle.
  static Iterator
  fromHandle(const Tensor &handle, const std::vector<TensorType> &types,
             std::source_location where = std::source_location::current());
  /// The number of an iterator of a graph.
  int64_t
  handle(std::source_location where = std::source_location::current()) const;

  /// The arrays of the next element. In a graph the same tensors each time.
  std::vector<Tensor>
  getNext(std::source_location where = std::source_location::current()) const;
  /// Begins anew, with this dataset or another one of the same types: where a
  /// session runs it; in eager mode now.
  IteratorInitializer initializer(
      std::source_location where = std::source_location::current()) const;
  IteratorInitializer initializer(
      const Dataset &other,
      std::source_location where = std::source_location::current()) const;

private:
  explicit Iterator(std::shared_ptr<dsl::IteratorState> made)
      : state(std::move(made)) {}

  std::shared_ptr<dsl::IteratorState> state;
};

} // namespace tg

#endif // TG_GRAPH_DATASET_H
