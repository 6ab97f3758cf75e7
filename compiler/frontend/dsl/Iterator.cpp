//===- Iterator.cpp - datasets as inputs of graphs ------------------------===//
#include "compiler/frontend/dsl/Iterators.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;

Iterators &Iterators::of(const Bodies &body) {
  std::shared_ptr<void> &kept = body->doors["iterators"];
  if (!kept)
    kept = std::make_shared<Iterators>();
  return *static_cast<Iterators *>(kept.get());
}

bool dsl::areSameTypes(const std::vector<TensorType> &lhs,
                       const std::vector<TensorType> &rhs) {
  bool areSame = lhs.size() == rhs.size();
  for (size_t i = 0; areSame && i < lhs.size(); ++i)
    areSame = lhs[i].dtype == rhs[i].dtype &&
              toString(lhs[i].shape) == toString(rhs[i].shape);
  return areSame;
}

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

/// Makes the inputs of a graph that stand for the next element.
static void addInputs(const std::shared_ptr<IteratorState> &state) {
  const Bodies &body = state->program.body();
  Iterators &iterators = Iterators::of(body);
  iterators.all.push_back(state);
  for (const TensorType &type : state->types()) {
    std::string name =
        body->uniqueName(joinPath(body->path(), "IteratorGetNext"));
    state->next.push_back(
        state->program.input(name, type.dtype, type.shape, state->where));
    iterators.sources[state->next.back().id()] = {state,
                                                  state->next.size() - 1};
  }
}

Iterator::Iterator(const Program &program, const Dataset &data,
                   const IteratorOptions &options, std::source_location where)
    : state(std::make_shared<IteratorState>(
          IteratorState{program, data, options.isOneShot, where})) {
  if (program.isEager())
    state->reader = data.read();
  else
    addInputs(state);
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
    raise("expected the types of at least one array", handle.body(), where);
  auto state = std::make_shared<IteratorState>(
      IteratorState{program, Dataset(), false, where});
  state->handle = handle;
  state->followed = types;
  addInputs(state);
  return Iterator(state);
}

int64_t Iterator::handle(std::source_location where) const {
  if (state->program.isEager())
    raise("expected an iterator of a graph to ask for its handle, found one of "
          "an eager program",
          state->program.body(), where);
  const auto &all = Iterators::of(state->program.body()).all;
  return std::find(all.begin(), all.end(), state) - all.begin();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static TensorType typeOf(const Array &array) {
  return {array.dtype(), Shape(array.shape().begin(), array.shape().end())};
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

IteratorInitializer Iterator::initializer(std::source_location where) const {
  return initializer(state->data, where);
}

IteratorInitializer Iterator::initializer(const Dataset &other,
                                          std::source_location where) const {
  if (state->handle.isDefined())
    raise("expected an iterator with a dataset of its own to begin, found one "
          "that follows handles",
          state->program.body(), where);
  if (!areSameTypes(other.types(), state->types()))
    raise("expected a dataset of the types of the iterator's",
          state->program.body(), where);
  if (state->program.isEager())
    state->reader = other.read(++state->pass);
  return {state, other};
}
