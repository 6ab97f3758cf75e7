/// Graphs and hyper-parameters as messages of events.
#ifndef TG_RUNTIME_TRAINING_EVENTS_RUNMESSAGES_H
#define TG_RUNTIME_TRAINING_EVENTS_RUNMESSAGES_H

#include "tg/training/events.hpp"

namespace tg::training {

/// Returns the tensorflow.GraphDef of nodes. Throws data::DataError for a node
/// without a name or op, and for equal names.
std::string graphMessage(std::span<const GraphNode> nodes);

/// Return the tensorflow.Summary of TensorBoard's hparams plugin at the begin
/// of a run (an experiment of its hyper-parameters and metrics, and their
/// values), and at its end. `seconds` is the time.
std::string startSummary(const HParams &hparams, const HparamsOptions &options,
                         double seconds);
std::string endSummary(RunResult result, double seconds);

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_EVENTS_RUNMESSAGES_H
