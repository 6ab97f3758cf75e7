//===- PartialRun.cpp - runs that go on in several calls ------------------===//
#include "compiler/frontend/session/SessionState.h"

#include <algorithm>
#include <cstring>

using namespace tg;
using namespace tg::dsl;
using namespace tg::session;

struct PartialRun::State {
  Bodies body;
  /// The identity of the session.
  std::shared_ptr<const char> identity;
  std::shared_ptr<PartialProgress> progress;
  /// The announced outputs, effects and feeds that have not happened yet.
  std::vector<Id> outputs, effects, feeds;
  /// The announced feeds, and the elements of iterators.
  std::vector<Id> inputs;
  /// The values of inputs so far, and what parts kept for later ones.
  std::map<Id, Array> given, kept;
  /// The number of the draws, from the first part that draws.
  std::optional<int64_t> draw;
};

/// Takes an id out of a list; throws where it is not in it.
static void takeAnnounced(std::vector<Id> &list, Id id, const char *what,
                          const std::string &name, Place where) {
  auto found = std::find(list.begin(), list.end(), id);
  if (found == list.end())
    throw GraphError(std::string("expected a ") + what +
                         " that partialRunSetup() was given and that no part "
                         "of the run has had, found " +
                         name,
                     where);
  list.erase(found);
}

/// Returns a copy of what is fed, which may go when the call ends.
static Array arrayOf(const Bodies &body, const Feed &feed, Id id) {
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
  Wanted wanted;
  for (const Fetch &fetch : fetches)
    state->addFetch(fetch, wanted);
  for (const Tensor &feed : feeds)
    state->addFeed(Feed(feed, 0, where), wanted);
  PartialRun handle;
  handle.state = std::make_shared<PartialRun::State>();
  PartialRun::State &run = *handle.state;
  run.body = state->body;
  run.identity = state->identity;
  run.progress = state->body->beginPartial();
  run.outputs = wanted.outputs;
  run.effects = wanted.effects;
  run.feeds = run.inputs = wanted.inputs;
  // A feed that is missing is told here, not by a later part.
  take(run.body->planPart(*run.progress, specOf(wanted, run.body), {},
                          state->assignments, where),
       where);
  return handle;
}

/// Takes the feeds and fetches of a part out of what was announced.
static void announce(PartialRun::State &run, const Wanted &wanted,
                     const std::vector<Feed> &feeds, Place where) {
  auto nameOf = [&](Id id) { return "'" + run.body->nameOf(id) + "'"; };
  for (size_t i = 0; i < feeds.size(); ++i) {
    Id id = wanted.inputs[i];
    takeAnnounced(run.feeds, id, "feed", nameOf(id), feeds[i].where);
    run.given[id] = arrayOf(run.body, feeds[i], id);
  }
  for (Id id : wanted.outputs)
    takeAnnounced(run.outputs, id, "fetch", nameOf(id), where);
  for (Id id : wanted.effects)
    takeAnnounced(run.effects, id, "fetch", "other updates", where);
}

/// Plans a part: adds what later parts need of it to what it gives, and what
/// earlier ones kept to what it is given.
static std::vector<Feed> plan(PartialRun::State &run, Wanted &wanted,
                              std::vector<Id> &kept,
                              const std::vector<uint64_t> &assignments,
                              Place where) {
  wanted.inputs.clear();
  std::vector<Feed> values;
  auto give = [&](Id id, const Array &value) {
    wanted.inputs.push_back(id);
    values.emplace_back(Tensor(run.body, id), value, where);
  };
  for (const auto &[id, value] : run.given)
    give(id, value);
  Wanted rest;
  rest.outputs = run.outputs;
  rest.effects = run.effects;
  rest.inputs = run.inputs;
  PartialPart part =
      take(run.body->planPart(*run.progress, specOf(wanted, run.body),
                              specOf(rest, run.body), assignments, where),
           where);
  for (Id id : part.taken)
    give(id, run.kept.at(id));
  for (Id id : part.kept)
    if (std::find(wanted.outputs.begin(), wanted.outputs.end(), id) ==
        wanted.outputs.end())
      wanted.outputs.push_back(id);
  kept = std::move(part.kept);
  wanted.doneEffects = std::move(part.doneEffects);
  wanted.draw = run.draw;
  return values;
}

std::vector<Array> Session::partialRun(const PartialRun &handle,
                                       const std::vector<Fetch> &fetches,
                                       const std::vector<Feed> &feeds,
                                       std::source_location where) {
  if (!handle.state || handle.state->body != state->body)
    throw GraphError("expected a run that partialRunSetup() gave for graph '" +
                         state->body->name() + "', found another",
                     where);
  if (handle.state->identity != state->identity)
    throw GraphError("expected a run that partialRunSetup() of this session "
                     "gave, found that of another session",
                     where);
  state->expectIdle("partialRun()", where);
  // A part that fails leaves the run as it was.
  PartialRun::State next = *handle.state;
  Wanted wanted;
  for (const Fetch &fetch : fetches)
    state->addFetch(fetch, wanted);
  for (const Feed &feed : feeds)
    state->addFeed(feed, wanted);
  announce(next, wanted, feeds, where);
  std::vector<Id> kept;
  std::vector<Feed> values =
      plan(next, wanted, kept, state->assignments, where);
  std::vector<Array> outputs;
  if (!wanted.outputs.empty() || !wanted.effects.empty())
    outputs = state->run(wanted, values, where);
  for (Id id : kept)
    next.kept[id] = outputs[static_cast<size_t>(
        std::find(wanted.outputs.begin(), wanted.outputs.end(), id) -
        wanted.outputs.begin())];
  for (const auto &[id, element] : wanted.elements) {
    next.inputs.push_back(id);
    next.given[id] = element;
  }
  next.draw = wanted.draw;
  next.body->finishPart(*next.progress);
  *handle.state = std::move(next);
  std::vector<Array> found;
  for (int place : wanted.places)
    found.push_back(place < 0 ? Array() : outputs[static_cast<size_t>(place)]);
  return found;
}
