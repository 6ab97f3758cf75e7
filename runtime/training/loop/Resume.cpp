//===- Resume.cpp - checkpoints of a training -----------------------------===//
#include "Entries.h"
#include "Loop.h"
using namespace tg;
using namespace tg::training;

/// The keys of entries in checkpoints.
static constexpr char modelKey[] = "model", dataKey[] = "data.description",
                      pipelineKey[] = "data.pipeline",
                      positionKey[] = "data.position", seedKey[] = "seed",
                      setKey[] = "set", inputsKey[] = "inputs",
                      scalarsKey[] = "scalars", stoppedKey[] = "stopped";
static constexpr std::string_view callbackPrefix = "callback.";

std::map<std::string, std::string> Trainer::Loop::entries() const {
  std::map<std::string, std::string> texts = {
      {modelKey, training::describe(trained)},
      {pipelineKey, chosen.pipeline},
      {dataKey, data.description()},
      {positionKey, position.text()},
      {seedKey, std::to_string(chosen.seed)},
      {setKey, textOf(chosen.set)},
      {inputsKey, textOf(inputs)},
      {scalarsKey, textOf(lastValues)}};
  if (stopReason)
    texts[stoppedKey] = *stopReason;
  for (const std::shared_ptr<Callback> &callback : callbacks) {
    std::string text = callback->state();
    const std::string key = std::string(callbackPrefix) + callback->name();
    if (!text.empty() && !texts.emplace(key, std::move(text)).second)
      throw data::DataError("expected callbacks with different names, found "
                            "two with the name '" +
                            callback->name() + "'");
  }
  return texts;
}

void Trainer::Loop::writeCheckpoint() {
  isSaveRequested = false;
  isSaved = true;
  if (!writer)
    return;
  // The lines up to this step are safe before the checkpoint is.
  writer->save(trained, *running, {finished, entries()}, {},
               [this] { metrics->sync(); });
}

/// Returns an entry. Throws DataError if there is none.
static const std::string &
expectEntry(const std::map<std::string, std::string> &texts, const char *key) {
  const auto found = texts.find(key);
  if (found == texts.end())
    throw data::DataError("expected a checkpoint of a training, found one "
                          "without the entry '" +
                          std::string(key) + "'");
  return found->second;
}

void Trainer::Loop::expectSameTraining(
    const std::map<std::string, std::string> &texts) const {
  expectSame("model", expectEntry(texts, modelKey),
             training::describe(trained));
  // The description of the user is the easier one to read.
  expectSame("data set", expectEntry(texts, pipelineKey), chosen.pipeline);
  expectSame("data set", expectEntry(texts, dataKey), data.description());
  expectSame("seed", expectEntry(texts, seedKey), std::to_string(chosen.seed));
}

void Trainer::Loop::applyEntries(
    const std::map<std::string, std::string> &texts) {
  position = data::Position::parse(expectEntry(texts, positionKey));
  lastValues = parseNumbers(expectEntry(texts, scalarsKey));
  for (const auto &[name, value] : parseNumbers(expectEntry(texts, inputsKey)))
    if (feed.takesNumber(name))
      inputs[name] = value;
  if (const auto found = texts.find(stoppedKey); found != texts.end())
    stopReason = found->second;
  for (const std::shared_ptr<Callback> &callback : callbacks)
    if (const auto found =
            texts.find(std::string(callbackPrefix) + callback->name());
        found != texts.end())
      callback->restore(found->second);
  // A value that the command line or the program has changed since counts.
  const auto settings = parseNumbers(expectEntry(texts, setKey));
  for (const auto &[name, value] : chosen.set)
    if (const auto before = settings.find(name);
        before == settings.end() || before->second != value)
      set(name, value);
}

bool Trainer::Loop::restore() {
  std::vector<SkippedCheckpoint> skipped;
  const std::optional<FoundCheckpoint> found =
      newestCheckpoint(chosen.directory, &skipped);
  for (const SkippedCheckpoint &file : skipped)
    notice("passes over " + file.path + ": " + file.reason);
  if (!found && !skipped.empty())
    throw data::DataError(skipped.front().path +
                          ": expected a whole checkpoint, found none in the "
                          "directory: " +
                          skipped.front().reason);
  if (!found)
    return false;
  try {
    expectSameTraining(found->state.entries);
    loadCheckpoint(*running, found->path);
    finished = found->state.step;
    applyEntries(found->state.entries);
  } catch (const data::DataError &error) {
    throw data::DataError(found->path + ": " + error.what());
  }
  notice("resumes from " + found->path);
  return true;
}
