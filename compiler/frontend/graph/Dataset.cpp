//===- Dataset.cpp - data sets of array rows, and their transformations ---===//
#include "compiler/frontend/graph/DatasetElements.h"

#include <future>
#include <mutex>

using namespace tg;
using namespace tg::dsl;

using Element = Dataset::Element;
using Reader = Dataset::Reader;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

Dataset Dataset::fromTensorSlices(std::vector<Array> arrays,
                                  std::source_location where) {
  Dataset made;
  for (const Array &array : arrays) {
    if (!array.isDefined() || array.rank() == 0)
      throw GraphError("expected arrays of rank 1 or more, found one without "
                       "rows",
                       where);
    if (array.shape()[0] != arrays.front().shape()[0])
      throw GraphError("expected arrays of equally many rows, found " +
                           std::to_string(arrays.front().shape()[0]) + " and " +
                           std::to_string(array.shape()[0]),
                       where);
    TensorType type = typeOf(array);
    type.shape.erase(type.shape.begin());
    made.elementTypes.push_back(type);
  }
  if (arrays.empty())
    throw GraphError("expected at least one array, found none", where);
  made.open = [arrays = std::move(arrays)](int64_t) -> Reader {
    return [arrays, row = int64_t(0)](Element &element) mutable {
      if (row == arrays.front().shape()[0])
        return false;
      element.clear();
      for (const Array &array : arrays)
        element.push_back(rowOf(array, row));
      ++row;
      return true;
    };
  };
  return made;
}

Dataset Dataset::fromReader(std::vector<TensorType> types,
                            std::function<Reader(int64_t)> open,
                            std::source_location where) {
  Dataset made;
  made.elementTypes = std::move(types);
  made.open = [where, types = made.elementTypes,
               begin = dsl::required(std::move(open), "a reader of passes",
                                     where)](int64_t pass) {
    return expectingTypes(
        dsl::required(begin(pass), "a reader of the pass", where), types,
        where);
  };
  return made;
}

//===----------------------------------------------------------------------===//
// Transformations of elements
//===----------------------------------------------------------------------===//

static void expectCount(int64_t count, int64_t least, const char *what,
                        std::source_location where) {
  if (count < least)
    throw GraphError(std::string("expected ") + what + " of at least " +
                         std::to_string(least) + ", found " +
                         std::to_string(count),
                     where);
}

/// Applies a function to up to `threads` elements concurrently and keeps their
/// order.
static Reader mapBy(std::function<Element(const Element &)> function,
                    Reader reader, uint32_t threads) {
  struct Calls {
    // Calls in progress, oldest first.
    std::vector<std::future<Element>> running;
    bool isAtEnd = false;
  };
  return [=, calls = std::make_shared<Calls>()](Element &element) {
    auto &running = calls->running;
    while (!calls->isAtEnd && running.size() < threads) {
      Element next;
      calls->isAtEnd = !reader(next);
      if (!calls->isAtEnd)
        running.push_back(std::async(std::launch::async, function, next));
    }
    if (running.empty())
      return false;
    std::future<Element> first = std::move(running.front());
    running.erase(running.begin());
    element = first.get();
    return true;
  };
}

/// Returns the types of a function's results for the first element. An extent
/// that varies in the data set, as in batches, may vary in the results.
static std::vector<TensorType>
typesOfMapped(const Dataset &data,
              const std::function<Element(const Element &)> &function,
              std::source_location where) {
  Element first;
  std::vector<TensorType> types;
  if (!data.read()(first))
    return types;
  for (const Array &array : function(first))
    types.push_back(typeOf(array));
  if (types.empty())
    throw GraphError(
        "expected a function that gives at least one array, found none", where);
  for (size_t i = 0; i < types.size() && i < data.types().size(); ++i) {
    const Shape &before = data.types()[i].shape;
    Shape &shape = types[i].shape;
    for (size_t axis = 0; axis < shape.size() && axis < before.size(); ++axis)
      if (!before[axis].isKnown())
        shape[axis] = dim();
  }
  return types;
}

Dataset Dataset::map(std::function<Element(const Element &)> function,
                     uint32_t threads, std::source_location where) const {
  expectCount(threads, 1, "a number of threads", where);
  function =
      dsl::required(std::move(function), "a function of elements", where);
  Dataset made;
  made.elementTypes = typesOfMapped(*this, function, where);
  made.open = [=, function = std::move(function), types = made.elementTypes,
               before = open](int64_t pass) -> Reader {
    Reader reader = before(pass);
    if (threads > 1)
      reader = mapBy(function, std::move(reader), threads);
    else
      reader = [function, reader = std::move(reader)](Element &element) {
        if (!reader(element))
          return false;
        element = function(element);
        return true;
      };
    // The types are unknown if the data set was empty when map() was called.
    return types.empty() ? reader
                         : expectingTypes(std::move(reader), types, where);
  };
  return made;
}

Dataset Dataset::take(int64_t count, std::source_location where) const {
  expectCount(count, 0, "a number of elements", where);
  Dataset made = *this;
  made.open = [count, before = open](int64_t pass) -> Reader {
    return [reader = before(pass), left = count](Element &element) mutable {
      return left-- > 0 && reader(element);
    };
  };
  return made;
}

Dataset Dataset::skip(int64_t count, std::source_location where) const {
  expectCount(count, 0, "a number of elements", where);
  Dataset made = *this;
  made.open = [count, before = open](int64_t pass) -> Reader {
    return [reader = before(pass), left = count](Element &element) mutable {
      while (left > 0 && reader(element))
        --left;
      return left == 0 && reader(element);
    };
  };
  return made;
}

Dataset Dataset::cache() const {
  struct Kept {
    std::mutex mutex;
    std::vector<Element> elements;
    bool isWhole = false;
  };
  Dataset made = *this;
  made.open = [kept = std::make_shared<Kept>(),
               before = open](int64_t pass) -> Reader {
    bool isWhole = false;
    {
      std::lock_guard lock(kept->mutex);
      isWhole = kept->isWhole;
    }
    if (isWhole) // a complete cache no longer changes
      return [kept, next = size_t(0)](Element &element) mutable {
        if (next == kept->elements.size())
          return false;
        element = kept->elements[next++];
        return true;
      };
    return [kept, reader = before(pass),
            own = std::vector<Element>()](Element &element) mutable {
      if (reader(element)) {
        own.push_back(element);
        return true;
      }
      std::lock_guard lock(kept->mutex);
      if (!kept->isWhole)
        kept->elements = std::move(own);
      kept->isWhole = true;
      return false;
    };
  };
  return made;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Hashes a sequence of counters to a pseudorandom number, with one mixing step
/// of splitmix64 for each.
static uint64_t mix(std::initializer_list<uint64_t> counters) {
  uint64_t number = 0;
  for (uint64_t counter : counters) {
    number += counter + 0x9e3779b97f4a7c15;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    number ^= number >> 31;
  }
  return number;
}

Dataset Dataset::shuffle(int64_t size, const ShuffleOptions &options,
                         std::source_location where) const {
  expectCount(size, 1, "a buffer", where);
  Dataset made = *this;
  made.open = [=, before = open](int64_t pass) -> Reader {
    uint64_t key =
        mix({uint64_t(options.seed), uint64_t(options.reshuffles ? pass : 0)});
    return [=, reader = before(pass), buffer = std::vector<Element>(),
            drawn = uint64_t(0), isAtEnd = false](Element &element) mutable {
      while (!isAtEnd && int64_t(buffer.size()) < size) {
        isAtEnd = !reader(element);
        if (!isAtEnd)
          buffer.push_back(element);
      }
      if (buffer.empty())
        return false;
      uint64_t chosen = mix({key, drawn++}) % buffer.size();
      element = std::move(buffer[chosen]);
      buffer[chosen] = std::move(buffer.back());
      buffer.pop_back();
      return true;
    };
  };
  return made;
}

//===----------------------------------------------------------------------===//
// Batches and repetitions
//===----------------------------------------------------------------------===//

Dataset Dataset::batch(int64_t size, bool dropRemainder,
                       std::source_location where) const {
  expectCount(size, 1, "batches", where);
  Dataset made = *this;
  for (TensorType &type : made.elementTypes)
    type.shape.insert(type.shape.begin(), dropRemainder ? Extent(size) : dim());
  made.open = [=, before = open](int64_t pass) -> Reader {
    return [=, reader = before(pass)](Element &element) {
      std::vector<Element> elements;
      for (Element next; int64_t(elements.size()) < size && reader(next);)
        elements.push_back(next);
      if (elements.empty() ||
          (dropRemainder && int64_t(elements.size()) < size))
        return false;
      element.clear();
      for (size_t i = 0; i < elements.front().size(); ++i)
        element.push_back(stackRows(elements, i, where));
      return true;
    };
  };
  return made;
}

Dataset Dataset::repeat(int64_t count) const {
  Dataset made = *this;
  made.open = [count, before = open](int64_t pass) -> Reader {
    // Pass p of the repetition consists of the passes p · count, p · count + 1
    // … of this dataset. If it is endless, it starts at a pseudorandom pass, or
    // at pass 0 for p = 0.
    int64_t first = pass == 0   ? 0
                    : count > 0 ? pass * count
                                : int64_t(mix({uint64_t(pass)}) >> 1);
    return [=, reader = Reader(), done = int64_t(0),
            isEmpty = true](Element &element) mutable {
      while (done != count) {
        if (!reader) {
          reader = before(int64_t(uint64_t(first) + uint64_t(done)));
          isEmpty = true;
        }
        if (reader(element)) {
          isEmpty = false;
          return true;
        }
        if (isEmpty && count < 0)
          return false; // avoids an endless loop
        reader = nullptr;
        ++done;
      }
      return false;
    };
  };
  return made;
}

Dataset::Position Dataset::begin() const { return Position(read()); }
Dataset::Position Dataset::end() const { return Position(); }
