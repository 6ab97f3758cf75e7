//===- PartialRun.cpp - runs in several calls -----------------------------===//
#include "compiler/frontend/session/SessionState.h"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::dsl;
using namespace tg::session;

struct PartialRun::State {
  BodyPtr body;
  /// The identity of the session.
  std::shared_ptr<const char> identity;
  std::shared_ptr<PartialProgress> progress;
  /// The announced outputs, effects and feeds that no call has used yet.
  std::vector<Id> outputs, effects, feeds;
  /// The announced feeds, and the elements of iterators.
  std::vector<Id> inputs;
  /// The values of the inputs so far, and the values that earlier calls saved
  /// for later ones.
  std::map<Id, Array> inputValues, savedValues;
  /// The counter of random samples, set by the first call that takes samples.
  std::optional<int64_t> sampleCounter;
};

/// Removes an id from a list of announced ids. Throws if the list does not have
/// it.
static void takeAnnounced(std::vector<Id> &list, Id id, const char *what,
                          const std::string &name, Place where) {
  auto found = std::find(list.begin(), list.end(), id);
  if (found == list.end())
    throw GraphError(std::string("expected a ") + what +
                         " that was given to partialRunSetup() and not yet to "
                         "partialRun(), found " +
                         name,
                     where);
  list.erase(found);
}

/// Copies a fed value, because the caller may free its memory after the call.
static Array arrayOf(const BodyPtr &body, const Feed &feed, Id id) {
  std::vector<Array> made;
  TensorType type = body->type(id);
  tg_tensor_t tensor = tensorOf(body, feed, id, type, made);
  Array array(type.dtype, {tensor.shape, tensor.shape + tensor.ndim});
  if (array.byteCount())
    std::memcpy(array.data(), tensor.data, array.byteCount());
  return array;
}

PartialRun Session::partialRunSetup(const std::vector<Fetch> &fetches,
                                    const std::vector<Tensor> &feeds,
                                    std::source_location where) {
  state->expectIdle("partialRunSetup()", where);
  RunRequest request;
  for (const Fetch &fetch : fetches)
    state->addFetch(fetch, request);
  for (const Tensor &feed : feeds)
    state->addFeed(Feed(feed, 0, where), request);
  PartialRun handle;
  handle.state = std::make_shared<PartialRun::State>();
  PartialRun::State &run = *handle.state;
  run.body = state->body;
  run.identity = state->identity;
  run.progress = state->body->beginPartial();
  run.outputs = request.outputs;
  run.effects = request.effects;
  run.feeds = run.inputs = request.inputs;
  // Reports a missing feed here, not in a later call.
  take(run.body->planPart(*run.progress, specOf(request, run.body), {},
                          state->assignments, where),
       where);
  return handle;
}

/// Removes the feeds and fetches of a call from the announced ones, and stores
/// the fed values.
static void consumeAnnounced(PartialRun::State &run, const RunRequest &request,
                             const std::vector<Feed> &feeds, Place where) {
  auto nameOf = [&](Id id) { return "'" + run.body->nameOf(id) + "'"; };
  for (size_t i = 0; i < feeds.size(); ++i) {
    Id id = request.inputs[i];
    takeAnnounced(run.feeds, id, "feed", nameOf(id), feeds[i].where);
    run.inputValues[id] = arrayOf(run.body, feeds[i], id);
  }
  for (Id id : request.outputs)
    takeAnnounced(run.outputs, id, "fetch", nameOf(id), where);
  for (Id id : request.effects)
    takeAnnounced(run.effects, id, "fetch", "other updates", where);
}

/// Plans a call: adds the values that later calls need to its outputs, and the
/// values that earlier calls saved to its inputs. Returns the values of the
/// inputs.
static std::vector<Feed> plan(PartialRun::State &run, RunRequest &request,
                              std::vector<Id> &saved,
                              const std::vector<uint64_t> &assignments,
                              Place where) {
  request.inputs.clear();
  std::vector<Feed> values;
  auto addInput = [&](Id id, const Array &value) {
    request.inputs.push_back(id);
    values.emplace_back(Tensor(run.body, id), value, where);
  };
  for (const auto &[id, value] : run.inputValues)
    addInput(id, value);
  RunRequest rest;
  rest.outputs = run.outputs;
  rest.effects = run.effects;
  rest.inputs = run.inputs;
  PartialPart part =
      take(run.body->planPart(*run.progress, specOf(request, run.body),
                              specOf(rest, run.body), assignments, where),
           where);
  for (Id id : part.taken)
    addInput(id, run.savedValues.at(id));
  for (Id id : part.saved)
    if (std::find(request.outputs.begin(), request.outputs.end(), id) ==
        request.outputs.end())
      request.outputs.push_back(id);
  saved = std::move(part.saved);
  request.doneEffects = std::move(part.doneEffects);
  request.sampleCounter = run.sampleCounter;
  return values;
}

std::vector<Array> Session::partialRun(const PartialRun &handle,
                                       const std::vector<Fetch> &fetches,
                                       const std::vector<Feed> &feeds,
                                       std::source_location where) {
  if (!handle.state || handle.state->body != state->body)
    throw GraphError(
        "expected a run that partialRunSetup() returned for graph '" +
            state->body->name() + "', found another",
        where);
  if (handle.state->identity != state->identity)
    throw GraphError("expected a run that partialRunSetup() of this session "
                     "returned, found one of another session",
                     where);
  state->expectIdle("partialRun()", where);
  // A call that fails leaves the run unchanged.
  PartialRun::State next = *handle.state;
  RunRequest request;
  for (const Fetch &fetch : fetches)
    state->addFetch(fetch, request);
  for (const Feed &feed : feeds)
    state->addFeed(feed, request);
  consumeAnnounced(next, request, feeds, where);
  std::vector<Id> saved;
  std::vector<Feed> values =
      plan(next, request, saved, state->assignments, where);
  std::vector<Array> outputs;
  if (!request.outputs.empty() || !request.effects.empty())
    outputs = state->run(request, values, where);
  for (Id id : saved)
    next.savedValues[id] = outputs[static_cast<size_t>(
        std::find(request.outputs.begin(), request.outputs.end(), id) -
        request.outputs.begin())];
  for (const auto &[id, element] : request.elements) {
    next.inputs.push_back(id);
    next.inputValues[id] = element;
  }
  next.sampleCounter = request.sampleCounter;
  next.body->finishPart(*next.progress);
  *handle.state = std::move(next);
  std::vector<Array> found;
  for (int index : request.outputIndices)
    found.push_back(index < 0 ? Array() : outputs[static_cast<size_t>(index)]);
  return found;
}
