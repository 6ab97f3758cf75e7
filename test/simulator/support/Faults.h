/// Tests of kernels that fail.
#ifndef TG_TEST_SIMULATOR_SUPPORT_FAULTS_H
#define TG_TEST_SIMULATOR_SUPPORT_FAULTS_H

#include "Cuda.h"

namespace tg::test {

/// A test with a log, of kernels that may execute 100,000 instructions. A fault
/// stays in its context, which is renewed.
class FaultTest : public CudaTest {
protected:
  void SetUp() override;
  void TearDown() override;

  /// Returns the last line of the log, or "".
  std::string lastLine() const;

  std::string log;
};

} // namespace tg::test

#endif
