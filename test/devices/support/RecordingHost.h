/// The host functions of hosted.mlir, which record their calls.
#ifndef TG_TEST_DEVICES_SUPPORT_RECORDINGHOST_H
#define TG_TEST_DEVICES_SUPPORT_RECORDINGHOST_H

#include <tg/abi.h>

#include <string>
#include <vector>

namespace tg::test {

/// Host functions and a handler of prints. A call or print is recorded as its
/// name or label, and the type, the shape and the bytes of each tensor.
class RecordingHost {
public:
  RecordingHost();
  RecordingHost(const RecordingHost &) = delete;

  tg_host_t table = {};
  /// All calls and prints so far.
  std::vector<std::string> calls;
  /// The function call with this number fails, counted from 1.
  size_t failing = 0;
  /// If true, the failing call writes beyond its results instead.
  bool writesBeyond = false;

private:
  static tg_status_t call(void *user, const tg_host_call_t *call);
  static void print(void *user, const char *label, const tg_tensor_t *value);

  std::vector<tg_host_function_t> functions;
  std::vector<const tg_host_function_t *> list;
  size_t count = 0;
  int32_t ticks = 0;
};

} // namespace tg::test

#endif // TG_TEST_DEVICES_SUPPORT_RECORDINGHOST_H
