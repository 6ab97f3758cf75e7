//===- Iterator.cpp - datasets as inputs of graphs ------------------------===//
#include "compiler/frontend/graph/Iterators.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;

Iterators &Iterators::of(const BodyPtr &body) {
  return extensionOf<Iterators>(body, "iterators");
}

bool dsl::areSameTypes(const std::vector<TensorType> &lhs,
                       const std::vector<TensorType> &rhs) {
  bool areSame = lhs.size() == rhs.size();
  for (size_t i = 0; areSame && i < lhs.size(); ++i)
    areSame = lhs[i].dtype == rhs[i].dtype &&
              toString(lhs[i].shape) == toString(rhs[i].shape);
  return areSame;
}

/// Returns the types of the arrays of an element: "f32 [3], i64 []".
static std::string textOf(const std::vector<TensorType> &types) {
  std::string text;
  for (const TensorType &type : types)
    text += (text.empty() ? "" : ", ") + toString(type.dtype) + " " +
            toString(type.shape);
  return text;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// Makes the inputs of a graph that stand for the next element.
static void addInputs(IteratorState &state) {
  const BodyPtr &body = state.program.body();
  GraphIterator &made = *state.iterator;
  Iterators &iterators = Iterators::of(body);
  iterators.all.push_back(state.iterator);
  for (const TensorType &type : made.types()) {
    std::string name =
        body->uniqueName(joinPath(body->path(), "IteratorGetNext"));
    made.next.push_back(
        state.program.input(name, type.dtype, type.shape, made.where).id());
    iterators.sources[made.next.back()] = {state.iterator,
                                           made.next.size() - 1};
  }
}

/// Makes the state of an iterator without inputs.
static std::shared_ptr<IteratorState> makeState(const Program &program,
                                                const Dataset &data,
                                                bool isOneShot, Place where) {
  auto iterator =
      std::make_shared<GraphIterator>(GraphIterator{data, isOneShot, where});
  return std::make_shared<IteratorState>(
      IteratorState{program, std::move(iterator)});
}

Iterator::Iterator(const Program &program, const Dataset &data,
                   const IteratorOptions &options, std::source_location where)
    : state(makeState(program, data, options.isOneShot, where)) {
  if (program.isEager())
    state->reading.begin(data);
  else
    addInputs(*state);
}

Iterator Iterator::fromHandle(const Tensor &handle,
                              const std::vector<TensorType> &types,
                              std::source_location where) {
  expectDefined(handle, where);
  Program program = Program::of(handle, where);
  if (program.isEager())
    raise("expected a graph for an iterator that follows a handle, found an "
          "eager program, where an iterator is chosen in C++",
          handle.body(), where);
  if (handle.dtype() != i64 || handle.rank() != 0)
    raise("expected an i64 scalar as a handle, found " +
              toString(handle.dtype()) + " " + toString(handle.shape()),
          handle.body(), where);
  if (types.empty())
    raise("expected the types of at least one array, found none", handle.body(),
          where);
  auto state = makeState(program, Dataset(), false, where);
  state->iterator->handle = handle.id();
  state->iterator->elementTypes = types;
  addInputs(*state);
  return Iterator(state);
}

int64_t Iterator::handle(std::source_location where) const {
  if (state->program.isEager())
    raise(
        "expected an iterator of a graph, which has a handle, found one of an "
        "eager program",
        state->program.body(), where);
  const auto &all = Iterators::of(state->program.body()).all;
  return std::find(all.begin(), all.end(), state->iterator) - all.begin();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static TensorType typeOf(const Array &array) {
  return {array.dtype(), Shape(array.shape().begin(), array.shape().end())};
}

std::vector<Tensor> Iterator::getNext(std::source_location where) const {
  const BodyPtr &body = state->program.body();
  std::vector<Tensor> tensors;
  if (!body->isEager()) {
    for (Id id : state->iterator->next)
      tensors.emplace_back(body, id);
    return tensors;
  }
  if (!state->reading.reader)
    state->reading.begin(state->iterator->data);
  Dataset::Element element;
  if (!state->reading.reader->next(element))
    throw OutOfRangeError("the end of the dataset", where);
  for (const Array &array : element) {
    const char *bytes = static_cast<const char *>(array.data());
    tensors.emplace_back(
        body, take(body->fromBytes(typeOf(array), {bytes, array.byteCount()},
                                   where)));
  }
  return tensors;
}

IteratorInitializer Iterator::initializer(std::source_location where) const {
  return initializer(state->iterator->data, where);
}

IteratorInitializer Iterator::initializer(const Dataset &other,
                                          std::source_location where) const {
  if (state->iterator->handle)
    raise("expected an iterator with a dataset of its own to initialize, found "
          "one that follows handles",
          state->program.body(), where);
  if (!areSameTypes(other.types(), state->iterator->types()))
    raise("expected a dataset of the iterator's types, " +
              textOf(state->iterator->types()) + ", found " +
              textOf(other.types()),
          state->program.body(), where);
  if (state->program.isEager())
    state->reading.begin(other);
  return {state, other};
}
