//===- SessionFeeds.cpp - fetches and feeds, and errors in them -----------===//
#include "compiler/frontend/graph/Scopes.h"
#include "compiler/frontend/session/SessionState.h"

#include <algorithm>
#include <cstring>
#include <variant>

using namespace tg;
using namespace tg::dsl;
using namespace tg::session;

//===----------------------------------------------------------------------===//
// Fetches and feeds
//===----------------------------------------------------------------------===//

struct Fetch::What
    : std::variant<Tensor, Updates, std::string, IteratorInitializer> {
  using variant::variant;
};

Fetch::Fetch(const Tensor &tensor, Place place)
    : what(std::make_shared<What>(tensor)), where(place) {}
Fetch::Fetch(const Updates &updates, Place place)
    : what(std::make_shared<What>(updates)), where(place) {}
Fetch::Fetch(const Assignment &assignment, Place place)
    : Fetch(assignment.value(), place) {}
Fetch::Fetch(const IteratorInitializer &initializer, Place place)
    : what(std::make_shared<What>(initializer)), where(place) {}
Fetch::Fetch(const char *name, Place place) : Fetch(std::string(name), place) {}
Fetch::Fetch(const std::string &name, Place place)
    : what(std::make_shared<What>(name)), where(place) {}

namespace {
/// Elements in the memory of the caller, or in memory that `owner` owns.
struct View {
  const void *data;
  size_t size;
  DType dtype;
  std::vector<int64_t> shape;
  std::shared_ptr<const void> owner;
};
} // namespace

struct FeedValue::Value : std::variant<Literal, Array, View> {
  using variant::variant;
};

FeedValue::FeedValue(const Literal &literal)
    : value(std::make_shared<Value>(literal)) {}
FeedValue::FeedValue(std::initializer_list<Literal> rows,
                     std::source_location where)
    : FeedValue(Literal(rows, where)) {}
FeedValue::FeedValue(const Array &array)
    : value(std::make_shared<Value>(array)) {}
FeedValue::FeedValue(const std::vector<bool> &elements)
    : FeedValue(elements, {static_cast<int64_t>(elements.size())}) {}

/// Copies booleans to an array with one byte per element.
static std::shared_ptr<bool[]> copyOf(const std::vector<bool> &elements) {
  auto copy = std::make_shared<bool[]>(elements.size());
  std::copy(elements.begin(), elements.end(), copy.get());
  return copy;
}

FeedValue::FeedValue(const std::vector<bool> &elements,
                     std::vector<int64_t> shape) {
  std::shared_ptr<bool[]> owner = copyOf(elements);
  const bool *data = owner.get();
  *this = FeedValue(data, elements.size(), boolean, std::move(shape),
                    std::move(owner));
}
FeedValue::FeedValue(const void *data, size_t size, DType dtype,
                     std::vector<int64_t> shape,
                     std::shared_ptr<const void> owner)
    : value(std::make_shared<Value>(
          View{data, size, dtype, std::move(shape), std::move(owner)})) {}

int64_t FeedValue::rank() const {
  if (const auto *literal = std::get_if<Literal>(value.get()))
    return static_cast<int64_t>(literal->shape().size());
  if (const auto *array = std::get_if<Array>(value.get()))
    return array->rank();
  return static_cast<int64_t>(std::get<View>(*value).shape.size());
}

Feed::Feed(const Tensor &tensor, FeedValue given, Place place)
    : target(tensor), value(std::move(given)), where(place) {}
Feed::Feed(const char *called, FeedValue given, Place place)
    : name(called), value(std::move(given)), where(place) {}
Feed::Feed(const std::string &called, FeedValue given, Place place)
    : name(called), value(std::move(given)), where(place) {}

//===----------------------------------------------------------------------===//
// Lookup of fetched and fed tensors
//===----------------------------------------------------------------------===//

void session::expectGraph(const BodyPtr &body, const BodyPtr &found,
                          const char *what, Place where) {
  if (!found)
    throw GraphError(std::string("expected a tensor with a value as ") + what +
                         ", found one that is only declared",
                     where);
  if (found != body)
    throw GraphError(std::string("expected a ") + what + " of graph '" +
                         body->name() +
                         "', which the session runs, found one "
                         "of another graph, '" +
                         found->name() + "'",
                     where);
}

void session::expectGraph(const BodyPtr &body, const Tensor &found,
                          const char *what, Place where) {
  if (found.whyMissing())
    throw GraphError(*found.whyMissing(), where);
  if (!found.isDefined() || found.body() == body)
    return expectGraph(body, found.body(), what, where);
  const BodyPtr &other = found.body();
  std::string name =
      other->isEager() ? "a tensor" : "'" + other->nameOf(found.id()) + "'";
  std::string place = other->placeOf(found.id(), where);
  throw GraphError(std::string("expected a ") + what + " of graph '" +
                       body->name() + "', which the session runs, found " +
                       name + " of another graph, '" + other->name() + "'" +
                       (place.empty() ? "" : ", made in " + place),
                   where);
}

/// Returns the value or effect of a name. Throws if there is none.
static Body::Named findNamed(const BodyPtr &body, const std::string &name,
                             const char *what, Place where) {
  Body::Named named = body->find(name);
  if (!named.value && !named.effect)
    named.value = findValue(body, name);
  if (!named.value && !named.effect)
    throw GraphError(std::string("expected the name of a ") + what +
                         " in graph '" + body->name() +
                         "', such as MatMul:0, found '" + name + "'" +
                         body->suggest(name),
                     where);
  return named;
}

/// Returns the index of a value in the outputs. Adds the value if it is new.
static int outputOf(Id id, std::vector<Id> &outputs) {
  auto found = std::find(outputs.begin(), outputs.end(), id);
  if (found == outputs.end())
    found = outputs.insert(found, id);
  return static_cast<int>(found - outputs.begin());
}

void Session::State::addFetch(const Fetch &fetch, RunRequest &request) {
  int index = -1;
  if (auto *tensor = std::get_if<Tensor>(fetch.what.get())) {
    expectGraph(body, *tensor, "fetch", fetch.where);
    index = outputOf(tensor->id(), request.outputs);
  } else if (auto *updates = std::get_if<Updates>(fetch.what.get())) {
    if (!updates->effects().empty())
      expectGraph(body, updates->body(), "fetch", fetch.where);
    request.effects.insert(request.effects.end(), updates->effects().begin(),
                           updates->effects().end());
  } else if (auto *begin = std::get_if<IteratorInitializer>(fetch.what.get())) {
    expectGraph(body, begin->iterator->program.body(), "iterator", fetch.where);
    readings[begin->iterator->iterator.get()].begin(begin->data);
  } else {
    Body::Named named = findNamed(body, std::get<std::string>(*fetch.what),
                                  "tensor or op", fetch.where);
    if (named.value)
      index = outputOf(*named.value, request.outputs);
    else
      request.effects.push_back(*named.effect);
  }
  request.outputIndices.push_back(index);
}

void Session::State::addFeed(const Feed &feed, RunRequest &request) {
  Id id;
  if (!feed.name) {
    expectGraph(body, feed.target, "feed", feed.where);
    id = feed.target.id();
  } else {
    Body::Named named = findNamed(body, *feed.name, "tensor", feed.where);
    if (!named.value)
      throw GraphError("expected the name of a tensor, found '" + *feed.name +
                           "', an op without a value",
                       feed.where);
    id = *named.value;
  }
  for (Id other : request.inputs)
    if (other == id)
      throw GraphError("expected '" + body->nameOf(id) +
                           "' to be fed once, found it twice",
                       feed.where);
  request.inputs.push_back(id);
}

/// Throws GraphError if the elements do not have the type of the tensor.
static void expectType(const BodyPtr &body, Id id, const TensorType &type,
                       DType dtype, Place where) {
  if (dtype != type.dtype)
    throw GraphError("expected elements of type " + toString(type.dtype) +
                         " for '" + body->nameOf(id) + "', found " +
                         toString(dtype),
                     where);
}

/// Throws GraphError if a value does not fit the tensor that it is fed to.
static void expectFit(const BodyPtr &body, Id id, const TensorType &type,
                      DType dtype, const std::vector<int64_t> &shape,
                      Place where) {
  expectType(body, id, type, dtype, where);
  bool fits = shape.size() == type.shape.size();
  for (size_t axis = 0; fits && axis < shape.size(); ++axis)
    fits = !type.shape[axis].isKnown() || type.shape[axis].value == shape[axis];
  if (!fits)
    throw GraphError("expected a value of shape " + toString(type.shape) +
                         " for '" + body->nameOf(id) + "', found " +
                         toString(Shape(shape.begin(), shape.end())),
                     where);
}

tg_tensor_t session::tensorOf(const BodyPtr &body, const Feed &feed, Id id,
                              const TensorType &type,
                              std::vector<Array> &made) {
  tg_tensor_t tensor = {};
  const std::vector<int64_t> *shape = nullptr;
  if (auto *view = std::get_if<View>(feed.value.value.get())) {
    tensor.data = const_cast<void *>(view->data);
    shape = &view->shape;
    expectFit(body, id, type, view->dtype, *shape, feed.where);
    size_t count = 1;
    for (int64_t extent : *shape) {
      if (extent < 0)
        throw GraphError("expected extents of at least 0, found " +
                             std::to_string(extent) + " in the given shape",
                         feed.where);
      count *= static_cast<size_t>(extent);
    }
    if (count != view->size)
      throw GraphError("expected " + std::to_string(count) +
                           " elements for the given shape, found " +
                           std::to_string(view->size),
                       feed.where);
  } else {
    const Array *array = std::get_if<Array>(feed.value.value.get());
    if (!array) {
      const Literal &literal = std::get<Literal>(*feed.value.value);
      // Numbers are converted to the type of the tensor; booleans are not.
      if (literal.dtype() == boolean)
        expectType(body, id, type, boolean, feed.where);
      array = &made.emplace_back(literal, type.dtype, feed.where);
    }
    if (!array->isDefined())
      throw GraphError("expected a value to feed, found none", feed.where);
    tensor.data = const_cast<void *>(array->data());
    shape = &array->shape();
    expectFit(body, id, type, array->dtype(), *shape, feed.where);
  }
  tensor.device.device_type = TG_DEVICE_CPU;
  tensor.ndim = static_cast<int32_t>(shape->size());
  tensor.shape = const_cast<int64_t *>(shape->data());
  return tensor;
}

const GraphIterator &
Session::State::selectedIterator(const GraphIterator &iterator,
                                 const RunRequest &request, Place where) const {
  if (!iterator.handle)
    return iterator;
  const std::vector<Id> &fed = request.inputs;
  auto found = std::find(fed.begin(), fed.end(), *iterator.handle);
  if (found == fed.end())
    throw GraphError("expected a feed of '" + body->nameOf(*iterator.handle) +
                         "', the handle of the iterator made in " +
                         describeLine(iterator.where, where) + ", found none",
                     where);
  int64_t handle = 0;
  std::memcpy(&handle, request.tensors[size_t(found - fed.begin())].data,
              sizeof(handle));
  const auto &all = Iterators::of(body).all;
  if (handle < 0 || handle >= int64_t(all.size()) ||
      all[size_t(handle)]->handle)
    throw GraphError("expected the handle() of an iterator with a dataset, "
                     "found " +
                         std::to_string(handle),
                     where);
  const GraphIterator &chosen = *all[size_t(handle)];
  if (!areSameTypes(chosen.types(), iterator.types()))
    throw GraphError("expected the handle of an iterator with the types of the "
                     "iterator made in " +
                         describeLine(iterator.where, where) +
                         ", found the handle of the one made in " +
                         describeLine(chosen.where, where),
                     where);
  return chosen;
}

Dataset::Element Session::State::takeElement(const GraphIterator &iterator,
                                             Place where) {
  IteratorReading &reading = readings[&iterator];
  if (!reading.reader && !iterator.isOneShot)
    throw GraphError("expected the iterator made in " +
                         describeLine(iterator.where, where) +
                         " to be initialized in this session: run its "
                         "initializer() first",
                     where);
  if (!reading.reader)
    reading.begin(iterator.data);
  Dataset::Element element;
  if (!reading.reader->next(element))
    throw OutOfRangeError("the end of the dataset of the iterator made in " +
                              describeLine(iterator.where, where),
                          where);
  return element;
}

void Session::State::addElements(const RunLibrary &library, RunRequest &request,
                                 Place where) {
  // All arrays of one element come from one read.
  std::map<const GraphIterator *, Dataset::Element> elements;
  for (Id id : library.facts().sources) {
    const auto &[iterator, component] = Iterators::of(body).sources.at(id);
    auto [element, isNew] = elements.try_emplace(iterator.get());
    if (isNew)
      element->second =
          takeElement(selectedIterator(*iterator, request, where), where);
    // The element lives until the run ends.
    request.made.push_back(element->second.at(component));
    request.elements.emplace_back(id, request.made.back());
    Feed feed(Tensor(body, id), request.made.back(), where);
    TensorType type = body->type(id);
    tg_tensor_t tensor = tensorOf(body, feed, id, type, request.made);
    tensor.dtype = storedType(type.dtype);
    tensor.shape = const_cast<int64_t *>(request.made.back().shape().data());
    request.tensors.push_back(tensor);
  }
}
