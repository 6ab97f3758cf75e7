/// The compiled mlp on a CPU and on a device, by libtgrt.
#ifndef TG_TEST_DEVICES_SUPPORT_DEVICEMODEL_H
#define TG_TEST_DEVICES_SUPPORT_DEVICEMODEL_H

#include "Mlp.h"

#include "tg/runtime.hpp"

#include <functional>

namespace tg::test {

/// Runs a step of training, and returns its loss.
double train(Context &context, const MlpBatch &batch);

/// Returns the probabilities of a batch.
std::vector<float> test(Context &context, const MlpBatch &batch);

/// Returns the bytes of all variables, without their header.
std::vector<std::byte> variablesOf(const Context &context);

/// Lets each call of a function of the driver fail in turn within `use`, which
/// returns the status of the first failure, or TG_OK. Expects one of two
/// statuses and that nothing is left.
void failEach(const char *function, int code, tg_status_t expected,
              const std::function<tg_status_t()> &use);

/// Loads mlp onto the CPU, as code for x86-64-v3, and onto the device. Expects
/// that nothing is left on the device at the end.
class DeviceModelFixture : public testing::Test {
protected:
  DeviceModelFixture();
  ~DeviceModelFixture() override;

  Model cpu;
  /// Replace it by the model of the CPU to unload it.
  Model device;
};

} // namespace tg::test

#endif // TG_TEST_DEVICES_SUPPORT_DEVICEMODEL_H
