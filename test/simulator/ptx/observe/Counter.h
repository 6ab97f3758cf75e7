/// Counts what launches do.
#ifndef TG_TEST_SIMULATOR_PTX_OBSERVE_COUNTER_H
#define TG_TEST_SIMULATOR_PTX_OBSERVE_COUNTER_H

#include "Request.h"
#include "test/simulator/Simulator.h"

namespace tg::ptx {

/// Counts the instructions and the requests of a launch.
class Counter {
public:
  /// Counts a step that a number of lanes executes.
  void countStep(const Step &step, uint32_t lanes) {
    ++counters.warpInstructions;
    counters.instructions += lanes;
    counters.multiplyAdds += uint64_t(lanes) * step.multiplyAdds;
  }
  /// Counts an access to global or shared memory.
  void countRequest(const Request &request);

  tgSimulatorKernelCounters counters = {};

private:
  void countGlobal(const Request &request);
  void countShared(const Request &request);
};

} // namespace tg::ptx

#endif
