/// Features and outputs as tensors with names.
#ifndef TG_RUNTIME_TRAINING_LOOP_TENSORS_H
#define TG_RUNTIME_TRAINING_LOOP_TENSORS_H

#include "tg/data/dataset.hpp"
#include "tg/runtime.hpp"
#include "tg/training/metrics.hpp"

namespace tg::training {

/// Returns an output of a run, a view of its results. Throws RuntimeError for a
/// name that is none.
NamedTensor outputOf(const tg_function_t &function, const Outputs &outputs,
                     const std::string &name);
/// Returns all outputs of a run of a function.
std::vector<NamedTensor> outputsOf(const tg_function_t &function,
                                   const Outputs &outputs);
/// Returns the features of a batch, views of its memory.
std::vector<NamedTensor> featuresOf(const data::ExampleType &type,
                                    const data::Example &batch);

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_LOOP_TENSORS_H
