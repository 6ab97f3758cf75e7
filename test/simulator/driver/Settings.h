/// The settings of the simulator, which the environment states.
#ifndef TG_TEST_SIMULATOR_DRIVER_SETTINGS_H
#define TG_TEST_SIMULATOR_DRIVER_SETTINGS_H

#include <cstdint>
#include <string>

namespace tg::simulator {

/// The settings; the variables of the environment are described in the README.
struct Settings {
  /// The version of the driver: 12000 for 12.0.
  int version = 12000;
  int devices = 1;
  /// Ten times the compute capability of the devices.
  int capability = 80;
  /// The bytes of memory of each device.
  uint64_t memory = uint64_t(4) << 30;
  /// The most instructions of a launch.
  uint64_t limit = uint64_t(1) << 36;
  /// True if work waits until a call waits for it.
  bool isDeferred = false;
  /// True if the accesses of kernels are checked.
  bool checks = false;
  /// True if kernels do nothing.
  bool skips = false;
  /// The file that messages about faults are appended to, or "".
  std::string log;
  /// The file that the counts of launches are appended to, or "".
  std::string count;
  /// The calls that fail: "function:n=code,...".
  std::string failures;

  /// Reads the environment. Numbers that are none keep the defaults.
  static Settings read();
};

} // namespace tg::simulator

#endif
