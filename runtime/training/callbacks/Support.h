/// Shared parts of callbacks.
#ifndef TG_RUNTIME_TRAINING_CALLBACKS_SUPPORT_H
#define TG_RUNTIME_TRAINING_CALLBACKS_SUPPORT_H

#include "runtime/training/loop/Tensors.h"
#include "runtime/training/metrics/StateText.h"
#include "tg/training/callbacks.hpp"
#include "tg/training/trainer.hpp"

namespace tg::training {

/// Returns the value of a tag among the scalars of a step.
std::optional<double> find(const Scalars &scalars, const std::string &tag);

/// Returns those outputs of the last step, in this order. Throws RuntimeError
/// for a name that is none.
std::vector<NamedTensor> outputsOf(const TrainingState &state,
                                   const std::vector<std::string> &names);

/// Returns the values of all inputs of a function that the context does not
/// supply, except for those of `features`: numbers of the training.
std::vector<Input> numbersFor(const TrainingState &state,
                              const tg_function_t &function,
                              const data::ExampleType &features = {});

/// Returns the path of a file in a directory, which is made if it does not
/// exist; the directory of the training for an empty one. Throws DataError if
/// there is none. `callback` is its name, for messages.
std::string pathIn(const std::string &directory, const TrainingState &state,
                   const std::string &file, const std::string &callback);

/// Writes images [images, height, width, channels] of f32, multiplied by
/// `scale`, or u8 as <prefix>-<image>.png. Throws DataError for other tensors.
void writeImages(const tg_tensor_t &images, double scale,
                 const std::string &prefix);

/// Returns the seconds of the steady clock.
double now();

/// Returns a number as text of up to 6 digits, independent of the locale.
std::string shortText(double number);

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_CALLBACKS_SUPPORT_H
