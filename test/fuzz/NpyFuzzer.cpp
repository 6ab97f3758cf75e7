/// Checks that a .npy file is either read as its header says or refused with a
/// message.
#include "tools/common/Npy.h"

#include "tg/dtypes.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  tg::NpyArray array;
  std::string error;
  const bool isRead = tg::parseNpy(
      {reinterpret_cast<const char *>(bytes), size}, "input", array, error);
  if (isRead ? array.data.size() > size : error.empty())
    std::abort();
  return 0;
}
