/// Loads the fixture model `pair` on the simulated GPU.
#ifndef TG_TEST_RUNTIME_SUPPORT_PAIR_H
#define TG_TEST_RUNTIME_SUPPORT_PAIR_H

#include "../fixtures/Pair.h"
#include "Line.h"
#include "test/simulator/support/Cuda.h"

/// The getter of the fixture that is linked into the test program.
extern "C" tg_model_get_fn pair_tg_model_get;

namespace tg::test {

/// The path of the fixture as a library without trailer.
inline const std::string rawPairPath = TG_RAW_PAIR_SO;

/// Returns load options for a GPU.
tg_load_options_t onGpu(int32_t number = 0, uint32_t target = TG_TARGET_BEST);

/// A test with variables of the environment for the simulator, which they
/// configure until the end of the test.
class SimulatorTest : public testing::Test {
protected:
  void SetUp() override;
  /// Expects that nothing is left on the device.
  void TearDown() override;

  /// Sets a variable of the environment. Before SetUp(), it has an effect.
  void setVariable(const char *name, const char *value);
  /// Sets a variable and starts the simulator anew. Nothing may be loaded.
  void configure(const char *name, const char *value);
  /// Expects that nothing is left on the device but the context of this test.
  void expectNothingLeft();
  tgSimulatorCounters counters() const;

  const Cuda &cuda = Cuda::get();
  Error error;

private:
  /// Retains the primary context, so that it keeps what the library leaves.
  void retain();

  std::vector<std::string> names; // of variables of the environment
  bool isRetained = false;
};

/// A test with a module of the fixture on a device and a context.
class PairTest : public SimulatorTest {
protected:
  static constexpr int64_t batch = 100;

  void SetUp() override;
  void TearDown() override;

  tg_context_t *createContext(tg_module_t *of, uint32_t flags = 0);
  /// Computes y = x * weight[0] + 0.5.
  tg_status_t test(tg_context_t *context);
  tg_status_t train(tg_context_t *context) {
    return tg_context_run(context, PAIR_TRAIN, nullptr, 0, nullptr, 0, &error);
  }
  /// Returns pair/weight, as the function `read` computes it.
  std::vector<float> weights(tg_context_t *context);
  /// Returns all variables as an exported block.
  std::vector<uint8_t> block(const tg_context_t *context);

  tg_module_t *module = nullptr;
  tg_context_t *context = nullptr;
  std::vector<float> x = std::vector<float>(batch);
  std::vector<float> y = std::vector<float>(batch);
  std::vector<int64_t> dims = {batch}, weightDims = {PAIR_WEIGHTS};
};

} // namespace tg::test

#endif // TG_TEST_RUNTIME_SUPPORT_PAIR_H
