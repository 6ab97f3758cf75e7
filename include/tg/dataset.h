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
#ifndef TG_DATASET_H
#define TG_DATASET_H

#include "array.h"
#include "program.h"

#include <functional>

namespace tg {

/// The end of a dataset, met by who asked for another element.
class OutOfRangeError : public GraphError {
public:
  using GraphError::GraphError;
};

/// A list of elements, each some arrays. Copies are the same; nothing is read
/// before it is asked for.
class Dataset {
public:
  using Element = std::vector<Array>;
  /// Gives the next element; false at the end.
  using Reader = std::function<bool(Element &element)>;

  /// The rows of arrays that have equally many. Throws GraphError otherwise.
  static Dataset fromTensorSlices(
      std::vector<Array> arrays,
      std::source_location where = std::source_location::current());

  /// What a function makes of each element; it gives arrays of the same types
  /// and shapes for all.
  Dataset map(std::function<Element(const Element &)> function) const;
  /// So many elements as one, along a new dimension 0; the last one may have
  /// fewer, or is left out.
  Dataset
  batch(int64_t size, bool dropsRemainder = false,
        std::source_location where = std::source_location::current()) const;
  /// All of it so many times, -1 for ever.
  Dataset repeat(int64_t count = -1) const;

  /// What its elements are; dim() where they differ.
  const std::vector<TensorType> &types() const { return elementTypes; }
  /// Reads from the beginning.
  Reader read() const { return open(); }

  /// For range-based loops.
  class Position;
  Position begin() const;
  Position end() const;

private:
  std::vector<TensorType> elementTypes;
  std::function<Reader()> open;
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
/// What an iterator is: its place in a graph, or where it reads in eager mode.
struct IteratorState;
} // namespace dsl

/// What begins an iterator anew where a session runs it.
struct IteratorInitializer {
  std::shared_ptr<dsl::IteratorState> iterator;
  Dataset data;
};

struct IteratorOptions {
  /// Every session begins it by itself.
  bool isOneShot = false;
};

/// Goes through a dataset. In a graph, each session has a place of its own: a
/// run that needs tensors of getNext(), and is not fed them, takes the next
/// element, one for all of them, or throws OutOfRangeError. In eager mode
/// getNext() takes it at once.
class Iterator {
public:
  Iterator(const Program &program, const Dataset &data,
           const IteratorOptions &options = {},
           std::source_location where = std::source_location::current());

  /// The arrays of the next element. In a graph the same tensors each time.
  std::vector<Tensor>
  getNext(std::source_location where = std::source_location::current()) const;
  /// Begins anew, with this dataset or another one of the same types: where a
  /// session runs it; in eager mode now.
  IteratorInitializer initializer() const;
  IteratorInitializer initializer(
      const Dataset &other,
      std::source_location where = std::source_location::current()) const;

private:
  std::shared_ptr<dsl::IteratorState> state;
};

} // namespace tg

#endif // TG_DATASET_H
