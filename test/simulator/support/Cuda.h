/// The driver as an independent program finds it: by dlopen and dlsym.
#ifndef TG_TEST_SIMULATOR_SUPPORT_CUDA_H
#define TG_TEST_SIMULATOR_SUPPORT_CUDA_H

#include "test/simulator/Simulator.h"
#include "test/simulator/driver/CudaFunctions.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace tg::test {

/// The functions of a driver. A member has the name of its function.
struct Cuda {
  /// Returns the functions of the simulator, or of the driver that the
  /// environment variable TG_TEST_DRIVER names.
  static const Cuda &get();

  bool isSimulator = false;
#define FUNCTION(name, parameters) decltype(&::name) name = nullptr;
#define ALIAS(name, function) decltype(&::function) name = nullptr;
#include "test/simulator/driver/CudaFunctions.def"
#undef FUNCTION
#undef ALIAS
  decltype(&::tgSimulatorFail) fail = nullptr;
  decltype(&::tgSimulatorLose) lose = nullptr;
  decltype(&::tgSimulatorReset) reset = nullptr;
  decltype(&::tgSimulatorCounts) counts = nullptr;
  decltype(&::tgSimulatorKernelCounts) kernelCounts = nullptr;
};

/// Returns the counters of the simulator.
tgSimulatorCounters simulatorCounters();

/// Expects that no memory and no object is left in the simulator, except active
/// contexts.
void expectNothingLeft();

/// Device memory that is freed at the end of its scope.
class Buffer {
public:
  explicit Buffer(size_t bytes);
  ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  /// Copies values to the beginning of the buffer.
  template <class Value> void put(const std::vector<Value> &values) {
    write(values.data(), values.size() * sizeof(Value));
  }
  /// Returns the first `count` values.
  template <class Value> std::vector<Value> take(size_t count) const {
    std::vector<Value> values(count);
    read(values.data(), count * sizeof(Value));
    return values;
  }

  CUdeviceptr address = 0;

private:
  void write(const void *from, size_t bytes);
  void read(void *to, size_t bytes) const;
};

/// A test with the primary context of the first device. Expects that nothing
/// is left at its end.
class CudaTest : public testing::Test {
protected:
  void SetUp() override;
  void TearDown() override;

  /// Loads a module that is unloaded at the end of the test.
  CUmodule load(const std::string &text);
  /// Loads a module and returns one of its kernels.
  CUfunction kernel(const std::string &text, const char *name);
  /// Launches a kernel with addresses and other parameters of 8 bytes.
  CUresult launch(CUfunction function, unsigned grid, unsigned block,
                  std::vector<uint64_t> parameters, CUstream stream = nullptr);
  /// Launches a kernel and waits for it. Expects success.
  void run(CUfunction function, unsigned grid, unsigned block,
           std::vector<uint64_t> parameters);
  /// Returns the counters of the simulator.
  tgSimulatorCounters counters() const;
  /// Gives the context back, which destroys all that is in it, and retains a
  /// new one.
  void renew();

  const Cuda &cuda = Cuda::get();
  CUcontext context = nullptr;
  std::vector<CUmodule> modules;
};

/// Returns a module of PTX 7.0 for sm_80.
std::string moduleOf(const std::string &body);

/// Returns a module with the kernel `k` of 64-bit parameters p0, p1, ..., whose
/// values are loaded into %p0, %p1, ... The registers %r1 to %r9 have 32 bits,
/// %d1 to %d9 64, %h1 to %h9 16; %q1 to %q9 are predicates.
std::string kernelOf(unsigned parameters, const std::string &body);

} // namespace tg::test

#endif
