/// Opens model and data, and trains until the end or a signal.
#include "Train.h"

#include "Progress.h"
#include "tg/data/pipeline.hpp"
#include "tg/training/callbacks.hpp"
#include "tg/training/library_stage.hpp"
#include "tools/common/ModelHost.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <limits>

using namespace tg;
using namespace tg::training;

/// The training that signals end, and the signal that came.
static std::atomic<Trainer *> interrupted = nullptr;
static volatile std::sig_atomic_t received = 0;

static void interrupt(int signal) {
  received = signal;
  if (Trainer *trainer = interrupted.load())
    trainer->requestStop();
}

namespace {

/// Ends a training at its next step for SIGTERM and SIGINT. A second signal
/// ends the process.
class Signals {
public:
  explicit Signals(Trainer &trainer) {
    interrupted = &trainer;
    struct sigaction action = {};
    action.sa_handler = interrupt;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
  }
  Signals(const Signals &) = delete;
  Signals &operator=(const Signals &) = delete;
  ~Signals() {
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGINT, SIG_DFL);
    interrupted = nullptr;
  }
};

} // namespace

/// Adds the names of the scalar outputs of a function, with a prefix.
static void addTags(const Model &model, const std::string &function,
                    const std::string &prefix, std::vector<std::string> &tags) {
  const tg_function_t &table = model.function(function);
  for (uint32_t i = 0; i < table.output_count; ++i)
    if (table.outputs[i]->rank == 0)
      tags.push_back(prefix + table.outputs[i]->name);
}

/// Returns the callback of --early-stop. Throws RuntimeError for a scalar that
/// the training does not have.
static std::shared_ptr<Callback> makeEarlyStop(const CommandLine &line,
                                               const Model &model) {
  std::vector<std::string> tags;
  addTags(model, line.options.function, "", tags);
  if (!line.valid.empty()) {
    addTags(model, line.options.validFunction, "valid/", tags);
    for (const auto &[tag, spec] : line.metrics)
      for (const auto &[end, value] : spec.metric->values())
        tags.push_back("valid/" + tag + (end.empty() ? "" : "/") + end);
  }
  if (std::ranges::find(tags, line.stopTag) == tags.end()) {
    std::string known;
    for (const std::string &tag : tags)
      known += (known.empty() ? "" : ", ") + tag;
    throw RuntimeError(TG_ERROR_NOT_FOUND, "no scalar '" + line.stopTag +
                                               "', expected one of " + known);
  }
  return earlyStopping(line.stopTag,
                       {.maxEpoch = std::numeric_limits<int64_t>::max(),
                        .patience = line.patience});
}

int tg::train(const CommandLine &line) {
  std::deque<HostLibrary> libraries; // outlive the trainer
  TrainerOptions options = line.options;
  options.host = makeHost(line.hosts, libraries);
  options.notice = [](const std::string &text) {
    std::fprintf(stderr, "tgc-train: %s\n", text.c_str());
  };
  const data::SourceOptions sources{.stages = {libraryStage()}};
  const data::Dataset data = data::openSource(line.data, sources);
  options.pipeline = data::describeSource(line.data);
  const Model model = Model::load(line.model, {.device = line.device});
  Trainer trainer(model, data, options);
  if (!line.valid.empty())
    trainer.setValidation(data::openSource(line.valid, sources), line.metrics);
  if (!line.stopTag.empty())
    trainer.add(makeEarlyStop(line, model));
  trainer.add(std::make_shared<Progress>());
  const Signals signals(trainer);
  const TrainingResult result = trainer.run();
  printEnd(result);
  return result.end == TrainingResult::End::interrupted ? 128 + received : 0;
}
