//===- HostCalls.cpp - host calls, prints, assertions, custom gradients ---===//
#include "compiler/frontend/ops/RegisteredFunctions.h"
#include "compiler/frontend/training/Drops.h"
#include "tg/graph/default_graph.h"
#include "tg/tensor/host.h"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Returns tensors for the ids of values.
static std::vector<Tensor> wrap(const BodyPtr &body,
                                const std::vector<Id> &ids) {
  std::vector<Tensor> tensors;
  for (Id id : ids)
    tensors.emplace_back(body, id);
  return tensors;
}

static std::vector<Id> idsOf(const std::vector<Operand> &operands) {
  std::vector<Id> ids;
  for (const Operand &operand : operands)
    ids.push_back(operand.tensor().id());
  return ids;
}

/// Returns the dynamic extents of the results. If the options have one size for
/// each of them, returns these sizes. Otherwise an extent whose name occurs in
/// the program is taken from the tensor that has it, and the sizes in the
/// options are those of the other dynamic extents, in order.
static std::vector<Operand> sizesOf(const BodyPtr &body,
                                    const std::vector<TensorType> &results,
                                    const HostCallOptions &options,
                                    Place where) {
  std::vector<Operand> sizes;
  size_t used = 0, unknown = 0;
  for (const TensorType &result : results)
    unknown +=
        std::count_if(result.shape.begin(), result.shape.end(),
                      [](const Extent &extent) { return !extent.isKnown(); });
  const bool givesAll = options.sizes.size() == unknown;
  for (const TensorType &result : results)
    for (const Extent &extent : result.shape) {
      auto named = body->namedExtents.find(extent.name);
      if (extent.isKnown())
        continue;
      if (!givesAll && !extent.name.empty() &&
          named != body->namedExtents.end())
        sizes.push_back(extentOf({Tensor(body, named->second.first), where},
                                 named->second.second));
      else if (used < options.sizes.size())
        sizes.push_back(options.sizes[used++]);
      else
        raise("expected a size of the unknown extent '" + extent.name +
                  "' of a result, found " +
                  std::to_string(options.sizes.size()) + " sizes",
              body, where);
    }
  if (used != options.sizes.size())
    raise("expected " + std::to_string(used) + " sizes, found " +
              std::to_string(options.sizes.size()),
          body, where);
  return sizes;
}

/// Returns the types of the results with data-dependent extents replaced by
/// their upper bounds, followed by the type of the list in which the function
/// returns all actual extents.
static std::vector<TensorType> boundedResults(const BodyPtr &body,
                                              std::vector<TensorType> results,
                                              const HostCallOptions &options,
                                              Place where) {
  int64_t count = 0;
  auto bound = options.bounds.begin();
  size_t missing = 0;
  for (TensorType &result : results)
    for (Extent &extent : result.shape) {
      ++count;
      if (extent.isKnown() || body->namedExtents.contains(extent.name))
        continue;
      if (bound == options.bounds.end())
        ++missing;
      else
        extent = *bound++;
    }
  bool fits = missing == 0 && bound == options.bounds.end();
  if (!fits || !options.sizes.empty() ||
      std::any_of(options.bounds.begin(), options.bounds.end(),
                  [](int64_t value) { return value < 0; }))
    raise("expected a bound of at least 0 for each unknown extent of a result "
          "and no sizes, found " +
              std::to_string(options.bounds.size()) + " bounds and " +
              std::to_string(options.sizes.size()) + " sizes",
          body, where);
  results.push_back({i64, {count}});
  return results;
}

/// Calls a host function with data-dependent extents, and slices the results to
/// the extents that the function returns. The run checks that it returns the
/// declared value for each static extent.
static std::vector<Tensor>
callWithBounds(const BodyPtr &body, const std::string &name,
               const std::vector<Operand> &inputs,
               const std::vector<TensorType> &results,
               const HostCallOptions &options, Place where) {
  if (body->hostGradients.contains(name))
    raise(
        "expected no gradient of a host function with data-dependent extents, "
        "found one of '" +
            name + "'",
        body, where);
  std::vector<Tensor> padded =
      hostCallAll(name, inputs, boundedResults(body, results, options, where),
                  {.pure = options.pure}, where);
  Tensor extents = padded.back();
  padded.pop_back();
  int64_t next = 0;
  for (size_t i = 0; i < padded.size(); ++i) {
    SliceOptions actual;
    std::vector<int64_t> known;
    for (const Extent &extent : results[i].shape) {
      actual.starts.push_back(0.0);
      actual.sizes.push_back(extents[next++]);
      known.push_back(extent.value);
    }
    if (!known.empty())
      padded[i] =
          ensureShape({slice({padded[i], where}, actual), where}, known);
  }
  return padded;
}

std::vector<Tensor> dsl::callHost(const BodyPtr &body,
                                  const HostRequest &request, Place where) {
  const std::vector<Operand> &inputs = request.inputs;
  std::vector<Operand> sizes =
      sizesOf(body, request.results, request.options, where);
  auto call = [&](std::vector<Id> given, std::vector<Id> extents, bool isPure) {
    return wrap(body, take(body->hostCall({request.name, std::move(given),
                                           std::move(extents), request.results,
                                           isPure, request.kernel},
                                          where)));
  };
  if (!request.gradient)
    return call(idsOf(inputs), idsOf(sizes), request.options.pure);
  // The sizes are inputs of the custom gradient. They are integers, so they
  // have no gradient.
  std::vector<Operand> all = inputs;
  all.insert(all.end(), sizes.begin(), sizes.end());
  auto first = [&](const std::vector<Tensor> &tensors) {
    return std::vector<Tensor>(tensors.begin(),
                               tensors.begin() + std::ptrdiff_t(inputs.size()));
  };
  return customGradient(
      all,
      [&](const std::vector<Tensor> &inner) {
        std::vector<Id> ids;
        for (const Tensor &tensor : inner)
          ids.push_back(tensor.id());
        auto middle = ids.begin() + std::ptrdiff_t(inputs.size());
        return call({ids.begin(), middle}, {middle, ids.end()}, true);
      },
      [&](const std::vector<Tensor> &inner, const std::vector<Tensor> &outputs,
          const std::vector<Tensor> &gradients) {
        return request.gradient(first(inner), outputs, gradients);
      },
      where);
}

std::vector<Tensor> tg::hostCallAll(const std::string &name,
                                    const std::vector<Operand> &inputs,
                                    const std::vector<TensorType> &results,
                                    const HostCallOptions &options,
                                    std::source_location where) {
  BodyPtr body = inputs.empty() ? defaultGraph().body() : bodyOf(inputs, where);
  Scope scope(body, "", where);
  if (!options.bounds.empty())
    return callWithBounds(body, name, inputs, results, options, where);
  HostRequest request = {name, inputs, results, options};
  if (auto found = body->hostGradients.find(name);
      found != body->hostGradients.end())
    request.gradient = found->second;
  return callHost(body, request, where);
}

Tensor tg::hostCall(const std::string &name, const std::vector<Operand> &inputs,
                    const TensorType &result, const HostCallOptions &options,
                    std::source_location where) {
  return hostCallAll(name, inputs, {result}, options, where).front();
}

std::vector<Tensor> tg::hostCallAll(const Program &program,
                                    const std::string &name,
                                    const std::vector<TensorType> &results,
                                    const HostCallOptions &options,
                                    std::source_location where) {
  DefaultGraph here = program.asDefault();
  return hostCallAll(name, std::vector<Operand>(), results, options, where);
}

Tensor tg::hostCall(const Program &program, const std::string &name,
                    const TensorType &result, const HostCallOptions &options,
                    std::source_location where) {
  return hostCallAll(program, name, {result}, options, where).front();
}

//===----------------------------------------------------------------------===//
// Prints and assertions
//===----------------------------------------------------------------------===//

/// Returns `value` with an effect attached: each function of the program that
/// uses the returned tensor also executes the effect.
static Tensor attach(const Tensor &value, Id effect) {
  const Id effects[] = {effect};
  return Tensor(value.body(), value.body()->withEffects(value.id(), effects));
}

/// Copies the elements of an eager tensor.
static Array arrayOf(const Tensor &tensor) {
  std::vector<int64_t> shape;
  for (const Extent &extent : tensor.shape())
    shape.push_back(extent.value);
  Array array(tensor.dtype(), std::move(shape));
  if (array.byteCount())
    std::memcpy(array.data(), tensor.body()->bytesOf(tensor.id())->data(),
                array.byteCount());
  return array;
}

Tensor tg::print(const std::string &label, Operand value) {
  const Tensor &tensor = value.tensor();
  if (tensor.body()->isEager()) {
    if (const auto &print = HostFunctions::of(tensor.body()).print)
      print(label, arrayOf(tensor));
    return tensor;
  }
  return attach(tensor,
                take(tensor.body()->print(label, tensor.id(), value.where())));
}

Tensor tg::assertTrue(Operand condition, const std::string &message,
                      Operand value) {
  const Tensor &tensor = condition.tensor();
  Id effect =
      take(tensor.body()->check(tensor.id(), message, condition.where()));
  return attach(value.tensor(), effect);
}

Tensor tg::assertTrue(Operand condition, const std::string &message) {
  return assertTrue(condition, message, condition);
}

/// Asserts that all elements of the condition are true, and returns the value.
static Tensor assertAll(Tensor condition, const std::string &message,
                        const std::string &otherwise, const Operand &value) {
  if (condition.rank() > 0)
    condition = reduceMin({condition, value.where()});
  return assertTrue({condition, value.where()},
                    message.empty() ? otherwise : message, value);
}

#define TG_ASSERTED(name, comparison, words)                                   \
  Tensor tg::name(Operand value, const std::string &message) {                 \
    Scope scope(value);                                                        \
    return assertAll(value comparison 0.0, message,                            \
                     "every element is " words " 0", value);                   \
  }
TG_ASSERTED(assertPositive, >, "above")
TG_ASSERTED(assertNegative, <, "below")
TG_ASSERTED(assertNonNegative, >=, "at least")
TG_ASSERTED(assertNonPositive, <=, "at most")
#undef TG_ASSERTED

#define TG_ASSERTED(name, comparison, words)                                   \
  Tensor tg::name(Operand value, Operand other, const std::string &message) {  \
    Scope scope(value);                                                        \
    return assertAll(value comparison other, message,                          \
                     "all elements are " words, value);                        \
  }
TG_ASSERTED(assertEqual, ==, "equal")
TG_ASSERTED(assertLess, <, "below those of the other")
TG_ASSERTED(assertLessEqual, <=, "at most those of the other")
TG_ASSERTED(assertGreater, >, "above those of the other")
TG_ASSERTED(assertGreaterEqual, >=, "at least those of the other")
#undef TG_ASSERTED

Tensor tg::assertRank(Operand value, int64_t rank) {
  const Tensor &tensor = value.tensor();
  if (tensor.rank() != rank)
    raise("expected a tensor of rank " + std::to_string(rank) + ", found " +
              toString(tensor.shape()),
          tensor.body(), value.where());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Custom gradients
//===----------------------------------------------------------------------===//

/// Returns the ids of tensors that a user's function returned. Throws
/// GraphError if one is undefined.
static std::vector<Id> idsOf(const std::vector<Tensor> &tensors, Place where) {
  std::vector<Id> ids;
  for (const Tensor &tensor : tensors) {
    expectDefined(tensor, where);
    ids.push_back(tensor.id());
  }
  return ids;
}

std::vector<Tensor> tg::customGradient(
    const std::vector<Operand> &inputs,
    const std::function<std::vector<Tensor>(const std::vector<Tensor> &)>
        &forward,
    const GivenGradient &backward, std::source_location where) {
  BodyPtr body = bodyOf(inputs, where);
  required(forward, "a function that gives outputs", where);
  required(backward, "a function that gives gradients", where);
  std::vector<Tensor> own =
      wrap(body, take(body->beginCustomGradient(idsOf(inputs), where)));
  std::vector<Tensor> gradients; // keeps the values alive until they are
                                 // yielded
  std::vector<Id> yielded;
  try {
    std::vector<Tensor> outputs = forward(own);
    if (!body->needsBackward()) {
      idsOf(outputs, where);
      body->abandonCustomGradient();
      Drops::of(body).clear();
      return outputs;
    }
    std::vector<Tensor> all =
        wrap(body, take(body->beginBackward(idsOf(outputs, where), where)));
    auto subrange = [&](size_t from, size_t to) {
      return std::vector<Tensor>(all.begin() + std::ptrdiff_t(from),
                                 all.begin() + std::ptrdiff_t(to));
    };
    size_t middle = own.size() + outputs.size();
    gradients = backward(subrange(0, own.size()), subrange(own.size(), middle),
                         subrange(middle, all.size()));
    yielded = idsOf(gradients, where);
  } catch (...) {
    body->abandonCustomGradient();
    Drops::of(body).clear();
    throw;
  }
  return wrap(body, take(body->endCustomGradient(yielded, where)));
}

GradientOverride::GradientOverride(
    const Program &program, std::map<std::string, OverrideGradient> gradients,
    std::source_location where)
    : body(program.body()), before(body->hostGradients) {
  auto &registered = HostFunctions::of(body).gradients;
  for (auto &[name, given] : gradients) {
    auto found = registered.find(given.name);
    if (!given.gradient && found == registered.end()) {
      body->hostGradients = before;
      raise("expected a registered gradient with the name '" + given.name +
                "', found none" + suggestKey(given.name, registered),
            body, where);
    }
    body->hostGradients[name] =
        given.gradient ? std::move(given.gradient) : found->second;
  }
}

GradientOverride::~GradientOverride() {
  body->hostGradients = std::move(before);
}
