/// Processes that are forked after the first use of a device.
#include "test/runtime/support/Pair.h"

#include <functional>
#include <sys/wait.h>
#include <unistd.h>

using namespace tg::test;

namespace {

/// Tests of processes that are forked from one with a context of pair.
class DeviceForkTest : public PairTest {
protected:
  /// Runs work() in a forked process. Returns its result, or -1 if the process
  /// ended otherwise.
  static int inChild(const std::function<int()> &work) {
    const pid_t child = ::fork();
    if (child == 0)
      ::_exit(work());
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
};

} // namespace

TEST_F(DeviceForkTest, everyCallSaysThatTheProcessWasForked) {
  ASSERT_EQ(tg_context_init(context, 5, &error), TG_OK);
  ASSERT_EQ(test(context), TG_OK);
  const int failures = inChild([&] {
    const std::string reason = "the process was forked after its first use of "
                               "the GPU, expected a process that is started "
                               "anew";
    int wrong = 0;
    const auto expect = [&](tg_status_t status) {
      wrong += status != TG_ERROR_DEVICE_LOST ||
               std::string(error.message).find(reason) == std::string::npos;
      error = Error();
    };
    std::vector<uint8_t> exported(PAIR_SLAB_BYTES);
    expect(test(context));
    expect(train(context));
    expect(tg_context_init(context, 5, &error));
    expect(tg_context_export_variables(context, exported.data(),
                                       exported.size(), &error));
    expect(tg_module_publish(module, context, &error));
    tg_context_t *created = nullptr;
    expect(tg_context_create(module, nullptr, &created, &error));
    // Destruction does not call the driver.
    tg_context_destroy(context);
    wrong += tg_module_unload(module, &error) != TG_OK;
    return wrong;
  });
  EXPECT_EQ(failures, 0);
  // The parent goes on.
  ASSERT_EQ(test(context), TG_OK) << error.message;
  EXPECT_EQ(y[9], 9 * 5 + pairConstant);
}

/// A process that forks before its first use is not concerned.
TEST(DeviceForkFirst, aChildMayOpenTheDevice) {
  Cuda::get(); // libtgrt finds the driver that is loaded already
  const pid_t child = ::fork();
  if (child == 0) {
    tg_module_t *module = nullptr;
    const tg_load_options_t options = onGpu();
    ::_exit(tg_module_adopt(pair_tg_model_get, &options, &module, nullptr) !=
                TG_OK ||
            tg_module_unload(module, nullptr) != TG_OK);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
