/// Runs a model on fixed inputs, compiled or by the reference, and compares the
/// bits of all results.
#ifndef TG_TEST_NUMERIC_BITS_MODELRUNS_H
#define TG_TEST_NUMERIC_BITS_MODELRUNS_H

#include "test/numeric/bits/ReferenceModel.h"
#include "tg/runtime.hpp"

namespace tg::test {

/// A tensor that a run computed.
struct Result {
  /// Says where the tensor comes from: "train of 5 rows, output loss".
  std::string name;
  RawTensor tensor;
};
using Results = std::vector<Result>;

/// The runs of a model. All named extents have one value, the number of rows.
struct RunPlan {
  /// The rows of each training step. A step runs each function that assigns
  /// variables, in order.
  std::vector<int64_t> steps = {5, 1, 12};
  /// The rows of each run of the functions that assign no variables, after the
  /// training.
  std::vector<int64_t> tests = {5, 1, 12};
  /// The upper bound of integer inputs, exclusive; the lower bound is 0.
  int64_t classes = 2;
  /// Floats of the inputs are multiplied by 2^scale.
  int scale = 0;
  /// False to record no outputs of training steps.
  bool recordsSteps = true;
  /// The bits of MXCSR that are set, in addition to those of the thread, while
  /// compiled code is called: modes of the caller, which must change no result.
  unsigned modes = 0;
};

/// The value of an input: a multiple of 1/128 in [-1, 1) times 2^scale, or an
/// integer. Each element is computed exactly from its number and the seed, so
/// that all machines have the same inputs. A scalar float, which is a learning
/// rate, is 1/64.
RawTensor makeInput(const tg_value_t &value, int64_t rows, uint64_t seed,
                    const RunPlan &plan);

/// Makes all inputs of a function. The first rows for a number of rows are
/// those for any smaller number.
std::vector<RawTensor> makeInputs(const tg_function_t &function, int64_t rows,
                                  uint64_t seed, const RunPlan &plan);

/// Loads a library. Throws RuntimeError if the machine cannot run the target.
Model loadLibrary(const std::vector<char> &library, uint32_t target);

/// Returns a context with initialized variables.
Context makeContext(const Model &model, uint32_t threads);

/// Runs a function of a model on all of its inputs. Returns its outputs.
std::vector<RawTensor> runFunction(Context &context,
                                   const tg_function_t &function,
                                   std::vector<RawTensor> inputs);

/// Returns copies of all variables.
Results readVariables(const Context &context, const tg_model_t &tables);

/// Initializes the variables, then trains and tests. The results are the
/// outputs of all runs, and the variables at the end.
Results runCompiled(const Model &model, const RunPlan &plan,
                    uint32_t threads = 1);
/// The same by the reference. The tables of a library of the model describe the
/// functions. Reports a failure to GoogleTest and returns what was computed.
Results runReference(const tg_model_t &tables, const std::string &text,
                     const RunPlan &plan);

/// Compares all tensors bit by bit. Two NaNs are equal. Reports differences to
/// GoogleTest.
void expectSameBits(const Results &found, const Results &expected);

/// Returns true if an element is NaN, whose bits are not specified.
bool hasNan(const RawTensor &tensor);

/// Returns x86-64-v3 and -v4, as far as the machine has them, as numbers that
/// are levels of CompileSettings and targets of loadLibrary().
std::vector<int> levelsWithFma();

/// Compiles a model at an optimization level, and compares its results for
/// these levels, on 1 and 3 threads, with those of the reference. Reports
/// differences to GoogleTest.
void expectBitsOfReference(const std::string &text, int optimization,
                           const RunPlan &plan,
                           const std::vector<int> &levels = levelsWithFma());

} // namespace tg::test

#endif // TG_TEST_NUMERIC_BITS_MODELRUNS_H
