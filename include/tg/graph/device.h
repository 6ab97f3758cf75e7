/// Devices: placement of ops, and models split over several devices.
///
///   Tensor a, b;
///   { DeviceScope first(program, "/cpu:0"); a = matmul(x, w); }
///   { DeviceScope second(program, "/cpu:1"); b = matmul(y, w); }
///   Session session(program, {.devices = 2});
///   session.run({a, b});                      // both at once
///
/// A placement changes no value. Sessions follow it: SessionOptions sets the
/// number of devices that the CPU's cores are divided into, each with its own
/// workers and memory, and the number of NVIDIA GPUs. A compiled library has
/// one device, the CPU of its caller with the caller's workers. In a library
/// all placements are soft, and its report lists them; with
/// ModelOptions::hardPlacement they are errors.
#ifndef TG_GRAPH_DEVICE_H
#define TG_GRAPH_DEVICE_H

#include "../tensor/control.h"
#include "optimizer.h"

namespace tg {

/// The parts of a device's name.
struct DeviceSpec {
  std::string type = "cpu";
  int64_t index = 0;
};

/// Places ops that are built during its lifetime on a device; the innermost
/// scope applies. In eager mode everything runs where it is built, and a device
/// that is not a CPU immediately throws an error.
class DeviceScope {
public:
  /// `device` is "/cpu:0", "/gpu:1", "cpu:1" or "/device:CPU:1"; "" means no
  /// device.
  DeviceScope(const Program &program, const std::string &device,
              std::source_location where = std::source_location::current());
  DeviceScope(const Program &program, const DeviceSpec &device,
              std::source_location where = std::source_location::current());
  /// Places ops of the default graph.
  explicit DeviceScope(
      const std::string &device,
      std::source_location where = std::source_location::current());
  ~DeviceScope();
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  std::shared_ptr<dsl::Body> owner;
};

/// Runs gradients that are requested during its lifetime on the devices of the
/// ops that they differentiate. Other gradients run on the device of the line
/// that requests them, or on the first device.
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
  /// The type of the devices. Tower i runs on device i of this type.
  std::string deviceType = "cpu";
};

namespace dsl {
std::vector<Tensor> buildParallel(const RegionFunction &model, int64_t towers,
                                  const std::vector<Operand> &inputs,
                                  const ParallelOptions &options,
                                  std::source_location where);
} // namespace dsl

/// Runs a model on equal parts of its inputs, one part on each device, and
/// concatenates the results along dimension 0. The inputs are divided along
/// dimension 0; its extent must be a multiple of the number of towers, which is
/// checked before the run if possible, otherwise at run time. The towers share
/// the variables that getVariable() makes, and layers that the model owns.
/// TensorFlow: make_parallel.
template <typename Model>
auto makeParallel(
    Model model, int64_t towers, const std::vector<Operand> &inputs,
    const ParallelOptions &options = {},
    std::source_location where = std::source_location::current()) {
  return dsl::likeResult<dsl::ResultOf<Model>>(
      dsl::buildParallel(dsl::regionOf(model), towers, inputs, options, where));
}

/// Returns the mean of the gradients of several towers, variable by variable.
/// It is the gradient over all examples if the towers have equal numbers of
/// them. Throws GraphError if the towers have gradients of different variables.
std::vector<Gradient>
averageGradients(const std::vector<std::vector<Gradient>> &towers,
                 std::source_location where = std::source_location::current());

} // namespace tg

#endif // TG_GRAPH_DEVICE_H
