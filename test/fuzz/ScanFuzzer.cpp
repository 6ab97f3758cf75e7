/// Checks that the pre-scan accepts arbitrary bytes.
#include "compiler/frontend/text/PreScan.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(bytes), size);
  const std::optional<tg::ScanError> error = tg::preScan(text);
  // An error has a position in the text and a message.
  if (error && (error->line < 1 || error->column < 1 || error->message.empty()))
    std::abort();
  return 0;
}
