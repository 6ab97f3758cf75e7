//===- Dataset.cpp - rows of arrays, and iterators over them --------------===//
#include "tg/dataset.h"
#include "compiler/frontend/dsl/Iterators.h"

#include <cstring>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Datasets
//===----------------------------------------------------------------------===//

static TensorType typeOf(const Array &array) {
  return {array.dtype(), Shape(array.shape().begin(), array.shape().end())};
}

/// A row of an array.
static Array rowOf(const Array &array, int64_t row) {
  Array made(array.dtype(), {array.shape().begin() + 1, array.shape().end()});
  if (size_t bytes = made.byteCount())
    std::memcpy(made.data(),
                static_cast<const char *>(array.data()) + bytes * size_t(row),
                bytes);
  return made;
}

/// Arrays of one shape as the rows of one.
static Array stackRows(const std::vector<Dataset::Element> &elements,
                       size_t component) {
  const Array &first = elements.front()[component];
  std::vector<int64_t> shape = first.shape();
  shape.insert(shape.begin(), static_cast<int64_t>(elements.size()));
  Array made(first.dtype(), shape);
  char *to = static_cast<char *>(made.data());
  for (const Dataset::Element &element : elements) {
    const Array &row = element[component];
    if (row.dtype() != first.dtype() || row.shape() != first.shape())
      throw std::runtime_error("expected elements of one shape in a batch");
    if (row.byteCount())
      std::memcpy(to, row.data(), row.byteCount());
    to += row.byteCount();
  }
  return made;
}

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
    throw GraphError("expected at least one array", where);
  made.open = [arrays = std::move(arrays)]() -> Reader {
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

Dataset Dataset::map(std::function<Element(const Element &)> function) const {
  Dataset made;
  Element first;
  if (read()(first))
    for (const Array &array : function(first))
      made.elementTypes.push_back(typeOf(array));
  // Of batches the last one may be shorter.
  for (size_t i = 0; i < made.elementTypes.size() && i < elementTypes.size();
       ++i)
    if (Shape &shape = made.elementTypes[i].shape;
        !shape.empty() && !elementTypes[i].shape.empty() &&
        !elementTypes[i].shape[0].isKnown())
      shape[0] = dim();
  made.open = [function = std::move(function), before = open]() -> Reader {
    return [function, reader = before()](Element &element) {
      if (!reader(element))
        return false;
      element = function(element);
      return true;
    };
  };
  return made;
}

Dataset Dataset::batch(int64_t size, bool dropsRemainder,
                       std::source_location where) const {
  if (size < 1)
    throw GraphError("expected batches of at least one element, found " +
                         std::to_string(size),
                     where);
  Dataset made = *this;
  for (TensorType &type : made.elementTypes)
    type.shape.insert(type.shape.begin(),
                      dropsRemainder ? Extent(size) : dim());
  made.open = [=, before = open]() -> Reader {
    return [=, reader = before()](Element &element) {
      std::vector<Element> elements;
      for (Element next; int64_t(elements.size()) < size && reader(next);)
        elements.push_back(next);
      if (elements.empty() ||
          (dropsRemainder && int64_t(elements.size()) < size))
        return false;
      element.clear();
      for (size_t i = 0; i < elements.front().size(); ++i)
        element.push_back(stackRows(elements, i));
      return true;
    };
  };
  return made;
}

Dataset Dataset::repeat(int64_t count) const {
  Dataset made = *this;
  made.open = [count, before = open]() -> Reader {
    return [before, reader = before(), left = count](Element &element) mutable {
      while (left != 0) {
        if (reader(element))
          return true;
        reader = before();
        left -= left > 0;
        if (Element probe; left < 0 && !before()(probe))
          return false; // nothing, for ever
      }
      return false;
    };
  };
  return made;
}

Dataset::Position Dataset::begin() const { return Position(read()); }
Dataset::Position Dataset::end() const { return Position(); }

//===----------------------------------------------------------------------===//
// Iterators
//===----------------------------------------------------------------------===//

Iterators &Iterators::of(const Bodies &body) {
  std::shared_ptr<void> &kept = body->doors["iterators"];
  if (!kept)
    kept = std::make_shared<Iterators>();
  return *static_cast<Iterators *>(kept.get());
}

Iterator::Iterator(const Program &program, const Dataset &data,
                   const IteratorOptions &options, std::source_location where)
    : state(std::make_shared<IteratorState>(
          IteratorState{program, data, options.isOneShot, where})) {
  const Bodies &body = program.body();
  if (body->isEager()) {
    state->reader = data.read();
    return;
  }
  for (const TensorType &type : data.types()) {
    std::string name =
        body->uniqueName(joinPath(body->path(), "IteratorGetNext"));
    state->next.push_back(
        state->program.input(name, type.dtype, type.shape, where));
    Iterators::of(body).sources[state->next.back().id()] = {
        state, state->next.size() - 1};
  }
}

std::vector<Tensor> Iterator::getNext(std::source_location where) const {
  const Bodies &body = state->program.body();
  if (!body->isEager())
    return state->next;
  Dataset::Element element;
  if (!state->reader(element))
    throw OutOfRangeError("the end of the dataset", where);
  std::vector<Tensor> tensors;
  for (const Array &array : element) {
    const char *bytes = static_cast<const char *>(array.data());
    tensors.emplace_back(
        body, take(body->fromBytes(typeOf(array), {bytes, array.byteCount()},
                                   where)));
  }
  return tensors;
}

IteratorInitializer Iterator::initializer() const {
  if (state->program.isEager())
    state->reader = state->data.read();
  return {state, state->data};
}

IteratorInitializer Iterator::initializer(const Dataset &other,
                                          std::source_location where) const {
  const std::vector<TensorType> &expected = state->data.types();
  bool isSame = other.types().size() == expected.size();
  for (size_t i = 0; isSame && i < expected.size(); ++i)
    isSame = other.types()[i].dtype == expected[i].dtype &&
             toString(other.types()[i].shape) == toString(expected[i].shape);
  if (!isSame)
    raise("expected a dataset of the types of the iterator's",
          state->program.body(), where);
  if (state->program.isEager())
    state->reader = other.read();
  return {state, other};
}
