/// Failures that tests plant into calls of the driver.
#ifndef TG_TEST_SIMULATOR_DRIVER_FAILURES_H
#define TG_TEST_SIMULATOR_DRIVER_FAILURES_H

#include "CudaTypes.h"

#include <map>
#include <string>
#include <string_view>

namespace tg::simulator {

/// Counts the calls of functions and decides which of them fail.
class Failures {
public:
  /// Plants the failures of a text "function:n=code,...". Entries that name no
  /// function are ignored.
  void plant(std::string_view text);
  /// Plants a failure of the nth call from now on. Returns false if the driver
  /// has no such function.
  bool plant(std::string_view function, uint64_t nth, int code);
  /// Counts a call. Returns the code with which it fails, or `CUDA_SUCCESS`.
  CUresult count(std::string_view function);

private:
  /// The calls of each function, and the codes of calls that fail.
  struct Calls {
    uint64_t count = 0;
    std::map<uint64_t, int> codes;
  };
  std::map<std::string, Calls, std::less<>> functions;
};

/// Returns the name under which a function or an alias is defined, or "".
std::string_view definedName(std::string_view name);

} // namespace tg::simulator

#endif
