/// Functions of compiled libraries as stages of data sets: what prepared the
/// examples of a training prepares those that are served.
#ifndef TG_TRAINING_LIBRARY_STAGE_HPP
#define TG_TRAINING_LIBRARY_STAGE_HPP

#include "tg/data/pipeline.hpp"
#include "tg/runtime.hpp"

namespace tg::training {

struct LibraryStageOptions {
  std::string function;
  /// The values of inputs of one element that are no features.
  std::map<std::string, double> numbers = {};
  /// The names of the features that outputs become. The default is the name of
  /// the output.
  std::map<std::string, std::string> outputs = {};
  /// A file with the variables of the model, unless it has their values.
  std::string variables = {};
  uint64_t seed = 0;
};

/// Appends a stage that calls a function of a model with the features of the
/// names of its inputs. Its outputs become features: in place of one of the
/// same name, or after the others. Features that are inputs and no outputs are
/// removed.
///
/// The samples of the function, and its input "seed" if no feature and no
/// number has this name, follow from the seed, the epoch, the example and the
/// stage alone. A function with a dimension for examples is applied after
/// batch(); its choices are those of the first example of the batch. Each
/// thread has a context of its own, without threads of the model.
///
/// Throws DataError if features do not fit to the function, or if it changes
/// variables.
data::Dataset mapByLibrary(const data::Dataset &data, Model model,
                           const LibraryStageOptions &options);

/// The stages of descriptions that call libraries:
///
///   {"library": "prep.so", "function": "augment", "set": {"strength": 0.5},
///    "outputs": {"augmented": "image"}, "variables": "prep.safetensors"}
///
/// The function can be omitted if the library has one alone that is not init.
data::StageKind libraryStage();

} // namespace tg::training

#endif // TG_TRAINING_LIBRARY_STAGE_HPP
