/// The counts of kernels.
#ifndef TG_TEST_SIMULATOR_DRIVER_KERNELCOUNTS_H
#define TG_TEST_SIMULATOR_DRIVER_KERNELCOUNTS_H

#include "test/simulator/Simulator.h"

namespace tg::simulator {

/// Adds counts to a sum.
void add(tgSimulatorKernelCounters &sum,
         const tgSimulatorKernelCounters &counts);

} // namespace tg::simulator

#endif
