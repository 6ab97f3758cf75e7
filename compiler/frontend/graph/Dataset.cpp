//===- Dataset.cpp - data sets of tg::Data as lists of arrays -------------===//
#include "compiler/frontend/graph/DatasetElements.h"
#include "compiler/frontend/graph/Iterators.h"

using namespace tg;
using namespace tg::dsl;

using Element = Dataset::Element;
using Reader = Dataset::Reader;

Dataset::Dataset(std::vector<TensorType> types, data::Dataset examples,
                 uint32_t threads, std::source_location where)
    : elementTypes(std::move(types)),
      state(std::make_shared<const State>(
          State{std::move(examples), threads, where})) {}

template <typename Add>
Dataset Dataset::stage(std::vector<TensorType> types,
                       std::source_location where, Add add) const {
  try {
    return Dataset(std::move(types), add(state->examples), state->threads,
                   where);
  } catch (const data::DataError &error) {
    throw GraphError(error.what(), where);
  }
}

static void expectCount(int64_t count, int64_t least, const char *what,
                        std::source_location where) {
  if (count < least)
    throw GraphError(std::string("expected ") + what + " of at least " +
                         std::to_string(least) + ", found " +
                         std::to_string(count),
                     where);
}

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Throws GraphError unless the arrays have equally many rows.
static void expectRows(const std::vector<Array> &arrays,
                       std::source_location where) {
  if (arrays.empty())
    throw GraphError("expected at least one array, found none", where);
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
  }
}

Dataset Dataset::fromTensorSlices(std::vector<Array> arrays,
                                  std::source_location where) {
  expectRows(arrays, where);
  std::vector<std::string> names;
  for (size_t i = 0; i < arrays.size(); ++i)
    names.push_back(std::to_string(i));
  return from(data::Dataset::fromArrays(std::move(names), featuresOf(arrays)),
              1, where);
}

Dataset Dataset::from(const data::Dataset &examples, uint32_t threads,
                      std::source_location where) {
  expectCount(threads, 1, "a number of threads", where);
  return Dataset(typesOf(examples.type(), where), examples, threads, where);
}

namespace {
/// The elements of a user's reader, whose types are checked.
class UserStream : public data::Stream {
public:
  UserStream(std::vector<TensorType> elements,
             std::function<Dataset::Reader(int64_t)> begin,
             std::source_location line)
      : types(std::move(elements)), example(exampleTypeOf(types)),
        begins(std::move(begin)), where(line) {}

  const data::ExampleType &type() const override { return example; }
  std::string place(uint64_t index) const override {
    return "element " + std::to_string(index);
  }
  std::unique_ptr<Stream::Reader> open(uint64_t epoch) const override {
    return std::make_unique<Pass>(
        *this, dsl::required(begins(static_cast<int64_t>(epoch)),
                             "a reader of the pass", where));
  }

private:
  class Pass : public Stream::Reader {
  public:
    Pass(const UserStream &source, Dataset::Reader begun)
        : stream(source), reader(std::move(begun)) {}

    bool next(std::vector<data::Feature> &features) override {
      Element element;
      if (!reader(element))
        return false;
      expectTypes(element, stream.types, stream.where);
      features = featuresOf(element);
      return true;
    }

  private:
    const UserStream &stream;
    Dataset::Reader reader;
  };

  std::vector<TensorType> types;
  data::ExampleType example;
  std::function<Dataset::Reader(int64_t)> begins;
  std::source_location where;
};
} // namespace

Dataset Dataset::fromReader(std::vector<TensorType> types,
                            std::function<Reader(int64_t)> open,
                            std::source_location where) {
  auto begin = dsl::required(std::move(open), "a reader of passes", where);
  auto stream =
      std::make_shared<const UserStream>(types, std::move(begin), where);
  return Dataset(std::move(types), data::Dataset::from(std::move(stream)), 1,
                 where);
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

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
  std::vector<TensorType> types = typesOfMapped(*this, function, where);
  data::MapFunction apply =
      [function, types, where](const data::Example &example, data::Random &) {
        const Element element = function(elementOf(example.features, where));
        // The types are unknown if the data set was empty when map() was
        // called.
        if (!types.empty())
          expectTypes(element, types, where);
        return featuresOf(element);
      };
  Dataset mapped = stage(types, where, [&](const data::Dataset &examples) {
    return examples.map(std::move(apply), {.type = exampleTypeOf(types)});
  });
  return Dataset(std::move(types), mapped.state->examples,
                 std::max(threads, state->threads), where);
}

Dataset Dataset::take(int64_t count, std::source_location where) const {
  expectCount(count, 0, "a number of elements", where);
  return stage(elementTypes, where, [&](const data::Dataset &examples) {
    return examples.take(static_cast<uint64_t>(count));
  });
}

Dataset Dataset::skip(int64_t count, std::source_location where) const {
  expectCount(count, 0, "a number of elements", where);
  return stage(elementTypes, where, [&](const data::Dataset &examples) {
    return examples.skip(static_cast<uint64_t>(count));
  });
}

Dataset Dataset::cache() const {
  return stage(elementTypes, state->where,
               [](const data::Dataset &examples) { return examples.cache(); });
}

Dataset Dataset::shuffle(int64_t size, const ShuffleOptions &options,
                         std::source_location where) const {
  expectCount(size, 1, "a buffer", where);
  return stage(elementTypes, where, [&](const data::Dataset &examples) {
    return examples.shuffle({.seed = static_cast<uint64_t>(options.seed),
                             .buffer = static_cast<uint64_t>(size),
                             .reshuffles = options.reshuffles});
  });
}

Dataset Dataset::batch(int64_t size, bool dropRemainder,
                       std::source_location where) const {
  expectCount(size, 1, "batches", where);
  std::vector<TensorType> types = elementTypes;
  for (TensorType &type : types)
    type.shape.insert(type.shape.begin(), dropRemainder ? Extent(size) : dim());
  return stage(std::move(types), where, [&](const data::Dataset &examples) {
    return examples.batch(
        {.size = static_cast<uint64_t>(size), .dropsRemainder = dropRemainder});
  });
}

Dataset Dataset::repeat(int64_t count) const {
  return stage(elementTypes, state->where, [&](const data::Dataset &examples) {
    if (count == 0)
      return examples.take(0);
    return examples.repeat(count < 0 ? 0 : static_cast<uint64_t>(count));
  });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

Reader Dataset::read(int64_t pass) const {
  auto reader = std::make_shared<ElementReader>(*this, pass);
  return [reader](Element &element) { return reader->next(element); };
}

Dataset::Position Dataset::begin() const { return Position(read()); }
Dataset::Position Dataset::end() const { return Position(); }
