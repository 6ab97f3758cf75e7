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
/// its own random weights and inputs.
class Session {
public:
  Session();
  ~Session();

  /// Compiles, loads and runs once. Returns an error, or "".
  std::string prepare(const Row &row, unsigned threads, int optimization,
                      const std::string &convAlgorithm, tg_device_t device);
  /// Runs one call. Returns an error, or "".
  std::string step();
  /// Runs one call and sets `seconds` to the time of its steps, as
  /// LoadedModel::timeSteps. Returns an error, or "".
  std::string timeSteps(double &seconds);

  /// The seconds from the program's text to the first result.
  double firstCallSeconds = 0;
  /// Returns the maximum error of the first rows compared to the interpreter,
  /// relative to the largest expected value. Sets `error` on failure.
  double compareWithInterpreter(std::string &error);
  /// Returns the loss of the last step.
  float loss() const { return *static_cast<const float *>(output->data()); }

private:
  struct Tensor;
  std::string compile(const std::string &convAlgorithm, int optimization,
                      tg_device_t device);
  std::string fillVariables();
  std::string readVariables();
  void makeTensors();

  Row row{};
  /// The index of the measured function.
  uint32_t function = 0;
  std::string file;
  LoadedModel library;
  std::vector<std::unique_ptr<Tensor>> variables, inputs;
  std::unique_ptr<HugeMemory> output;
  /// The shape passed to a call, with the upper bounds of data-dependent sizes,
  /// and the shape after the call.
  std::vector<int64_t> outputRoom, outputShape;
  std::vector<tg_tensor_t> inputTensors;
  tg_tensor_t outputTensor{};
};

} // namespace tg::bench

#endif // TG_TOOLS_TGC_BENCH_COMPILEDROW_H
