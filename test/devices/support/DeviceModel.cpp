#include "DeviceModel.h"

namespace tg::test {

double train(Context &context, const MlpBatch &batch) {
  return context
      .run("train",
           {{"x", batch.x}, {"label", batch.labels}, {"learning_rate", 0.01}})
      .scalar("loss");
}

std::vector<float> test(Context &context, const MlpBatch &batch) {
  const Outputs &outputs = context.run("test", {{"x", batch.x}});
  const auto values = outputs.values<float>("probabilities");
  return {values.begin(), values.end()};
}

std::vector<std::byte> variablesOf(const Context &context) {
  const std::vector<std::byte> block = context.snapshot();
  return {block.begin() + sizeof(tg_slab_header_t), block.end()};
}

void failEach(const char *function, int code, tg_status_t expected,
              const std::function<tg_status_t()> &use) {
  SCOPED_TRACE(function);
  for (uint64_t nth = 1;; ++nth) {
    SCOPED_TRACE(nth);
    Cuda::get().reset();
    ASSERT_TRUE(Cuda::get().fail(function, nth, code));
    const tg_status_t status = use();
    expectNothingLeft();
    EXPECT_EQ(simulatorCounters().contexts, 0u);
    if (status == TG_OK) {
      EXPECT_GT(nth, 1u) << "the runtime does not call it";
      break;
    }
    EXPECT_EQ(status, expected);
  }
  Cuda::get().reset();
}

/// Opens the stand-in for the driver before libtgrt does, so that libtgrt finds
/// it by its name.
static const Cuda &openDriver() { return Cuda::get(); }

DeviceModelFixture::DeviceModelFixture()
    : cpu(Model::load(TG_MLP_SO, {.target = TG_TARGET_X86_64_V3})),
      device((openDriver(),
              Model::load(TG_MLP_SO, {.device = {TG_DEVICE_CUDA, 0}}))) {}

DeviceModelFixture::~DeviceModelFixture() {
  device = cpu;
  expectNothingLeft();
  EXPECT_EQ(simulatorCounters().contexts, 0u);
}

} // namespace tg::test
