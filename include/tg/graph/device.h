/// Devices: where ops run, and models split over several of them.
///
///   Tensor a, b;
///   { DeviceScope first(program, "/cpu:0"); a = matmul(x, w); }
///   { DeviceScope second(program, "/cpu:1"); b = matmul(y, w); }
///   Session session(program, {.devices = 2});
///   session.run({a, b});                      // both at once
///
/// A device is a wish that changes no value. Sessions follow it: a CPU's cores
/// are so many devices as SessionOptions says, each with its own workers and
/// memory. A compiled library has one device, the CPU of its caller with the
/// workers that it gives: all placements are soft there, and its report lists
/// them, or they are errors with ModelOptions::hardPlacement.
#ifndef TG_GRAPH_DEVICE_H
#define TG_GRAPH_DEVICE_H

#include "../tensor/control.h"
#include "optimizer.h"

namespace tg {

/// A device by its parts.
struct DeviceSpec {
  std::string type = "cpu";
  int64_t index = 0;
};

/// Places operations that are built while it lives on a device; the innermost
/// scope counts. In eager mode everything runs where it is built, and a device
/// that is no CPU is an error at once.
class DeviceScope {
public:
  /// "/cpu:0", "/gpu:1", "cpu:1" or "/device:CPU:1"; "" for no device.
  DeviceScope(const Program &program, const std::string &device,
              std::source_location where = std::source_location::current());
  DeviceScope(const Program &program, const DeviceSpec &device,
              std::source_location where = std::source_location::current());
  /// In the default graph.
  explicit DeviceScope(
      const std::string &device,
      std::source_location where = std::source_location::current());
  ~DeviceScope();
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  std::shared_ptr<dsl::Body> owner;
};

/// Gradients that are asked for while it lives run where the ops run that they
/// are gradients of; others where they are asked for, or on the first device.
class ColocateGradients {
public:
  explicit ColocateGradients(const Program &program, bool colocates = true);
  ~ColocateGradients();
  ColocateGradients(const ColocateGradients &) = delete;
  ColocateGradients &operator=(const ColocateGradients &) = delete;

private:
  std::shared_ptr<dsl::Body> owner;
  bool before;
};

struct ParallelOptions {
  /// Tower i runs on the device of this type and number i.
  std::string deviceType = "cpu";
};

namespace dsl {
std::vector<Tensor> buildParallel(const RegionFunction &model, int64_t towers,
                                  const std::vector<Operand> &inputs,
                                  const ParallelOptions &options,
                                  std::source_location where);
} // namespace dsl

/// Returns the results of a model for parts of its inputs, one on each device,
/// concatenated along dimension 0. The inputs are divided along that dimension,
/// whose extent must be a multiple of the number of towers, at run time if not
/// before. The towers share the variables that getVariable() makes, and layers
/// that the model holds. TensorFlow: make_parallel.
template <typename Model>
auto makeParallel(
    Model model, int64_t towers, const std::vector<Operand> &inputs,
    const ParallelOptions &options = {},
    std::source_location where = std::source_location::current()) {
  return dsl::likeResult<dsl::ResultOf<Model>>(
      dsl::buildParallel(dsl::regionOf(model), towers, inputs, options, where));
}

/// The mean of the gradients of several towers, variable by variable: of all
/// examples where towers have equally many. Throws GraphError where they are of
/// other variables.
std::vector<Gradient>
averageGradients(const std::vector<std::vector<Gradient>> &towers,
                 std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_GRAPH_DEVICE_H
