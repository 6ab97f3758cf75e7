/// Inputs of a function, from features and numbers with their names.
#ifndef TG_RUNTIME_TRAINING_LOOP_FEED_H
#define TG_RUNTIME_TRAINING_LOOP_FEED_H

#include "tg/data/dataset.hpp"
#include "tg/runtime.hpp"

#include <map>

namespace tg::training {

/// Returns the function of a model. Throws RuntimeError with the names of all
/// functions.
const tg_function_t &findFunction(const Model &model, const std::string &name);

/// Returns the scalar outputs of a function, in the order of its table.
std::vector<std::string> scalarOutputs(const tg_function_t &function);

/// Returns true if samples of the function depend on a seed that the context
/// supplies.
bool drawsSamples(const tg_function_t &function);

/// The inputs of one function that are features of a data set, and those that
/// are numbers.
class Feed {
public:
  /// Checks that the features have the types and shapes of the inputs with
  /// their names. Features that are no inputs are left out. Throws
  /// RuntimeError.
  Feed(const tg_function_t &function, const data::Dataset &data);

  /// Returns true if the function has a feature of this name as an input.
  bool takesFeature(const std::string &name) const;
  /// Returns true if the function has a scalar input of this name that is no
  /// feature.
  bool takesNumber(const std::string &name) const;
  /// Returns the names of these inputs for messages.
  std::string numberNames() const;
  /// Checks that each input is a feature or one of these numbers. Throws
  /// RuntimeError.
  void expectValues(const std::map<std::string, double> &numbers) const;
  /// Returns the inputs of a run, which refer to the memory of the batch.
  std::vector<Input> inputs(const data::Example &batch,
                            const std::map<std::string, double> &numbers) const;

private:
  void addFeature(const tg_value_t &input, size_t index);
  /// Returns the number of examples in the last batch of an epoch, if the
  /// others have `rows`; -1 if it is unknown.
  int64_t lastRows(int64_t rows) const;

  const tg_function_t &function;
  data::ExampleType type;
  /// The numbers of examples and batches of an epoch, if they are known.
  std::optional<std::pair<uint64_t, uint64_t>> epochSize;
  struct Bound {
    const char *name;
    size_t feature;
  };
  std::vector<Bound> bound;
  std::vector<const tg_value_t *> numberInputs;
  std::map<int64_t, int64_t> extents; // of symbols
};

/// Returns the number of examples of a batch.
inline uint64_t rowsOf(const data::Example &batch) {
  const std::vector<int64_t> &shape = batch.features.front().shape();
  return shape.empty() ? 1 : static_cast<uint64_t>(shape.front());
}

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_LOOP_FEED_H
