/// Finds lanes of a warp that have met.
#ifndef TG_TEST_SIMULATOR_PTX_WARP_MEETINGS_H
#define TG_TEST_SIMULATOR_PTX_WARP_MEETINGS_H

#include "Warp.h"

namespace tg::ptx {

/// Lets the lanes of a warp meet that wait for each other.
class Meetings {
public:
  explicit Meetings(Warp &warp) : warp(warp) {}

  /// Executes the instruction of one mask of lanes that is complete. Returns
  /// false if there is none.
  bool execute();
  /// Fails a lane that waits for others that do not arrive, if there is one.
  void failWaiting();

private:
  uint32_t maskOf(const Group &group, uint32_t lane) const;
  bool meets(uint32_t waiting, uint32_t lane) const;
  uint32_t lanesAt(const Step &step) const;
  bool isComplete(uint32_t waiting) const;
  const Step *findOpen() const;
  std::string explain(uint32_t lane) const;
  std::string describe(uint32_t lane) const;
  void execute(const Step &step, uint32_t mask);

  Warp &warp;
};

} // namespace tg::ptx

#endif
