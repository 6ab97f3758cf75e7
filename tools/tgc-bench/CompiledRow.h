//===- CompiledRow.h - one row, compiled and ready to run -----------------===//
#ifndef TG_TOOLS_TGC_BENCH_COMPILEDROW_H
#define TG_TOOLS_TGC_BENCH_COMPILEDROW_H

#include "LoadedModel.h"
#include "Workloads.h"
#include "tools/common/HugeMemory.h"
#include <memory>
#include <optional>

namespace tg::bench {

/// A workload in this process: compiled by the driver, loaded by libtgrt, with
/// random weights and inputs of its own.
class Session {
public:
  Session();
  ~Session();

  /// Compiles, loads and runs once. Returns what failed, or "".
  std::string prepare(const Row &row, unsigned threads, int optimization,
                      const std::string &convAlgorithm);
  /// One call. Returns what failed, or "".
  std::string step();

  /// Seconds from the program's text to the first result.
  double firstCallSeconds = 0;
  /// The largest error of the first rows against the interpreter, relative to
  /// the largest expected value; or why there is none in `error`.
  double compareWithInterpreter(std::string &error);
  /// The loss that the last step gave.
  float loss() const { return *static_cast<const float *>(output->data()); }

private:
  struct Tensor;
  std::string compile(const std::string &convAlgorithm, int optimization);
  std::string fillVariables();
  std::string readVariables();
  void makeTensors();

  Row row{};
  /// The number of the function that is timed.
  uint32_t function = 0;
  std::string file;
  LoadedModel library;
  std::vector<std::unique_ptr<Tensor>> variables, inputs;
  std::unique_ptr<HugeMemory> output;
  /// The shape that a call gets, with room for what it finds, and the one that
  /// it leaves.
  std::vector<int64_t> outputRoom, outputShape;
  std::vector<tg_tensor_t> inputTensors;
  tg_tensor_t outputTensor{};
};

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_COMPILEDROW_H
