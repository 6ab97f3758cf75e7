/// Converts tensors to text.
#include "tg/dtypes.h"
#include "tg/runtime.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <type_traits>

namespace {

/// A text under construction in memory of the caller.
class Text {
public:
  Text(char *begin, uint64_t bytes)
      : begin(begin), end(begin + (bytes ? bytes - 1 : 0)), at(begin) {}

  void put(const char *text) { put(text, std::strlen(text)); }
  void put(const char *text, size_t length) {
    const auto fits = std::min<size_t>(length, static_cast<size_t>(end - at));
    std::memcpy(at, text, fits);
    at += fits;
    cut |= fits < length;
  }
  template <typename T> void putNumber(T number) {
    // The sign of NaN is meaningless.
    if (number != number)
      return put("nan");
    char digits[64];
    put(digits, static_cast<size_t>(
                    std::to_chars(digits, digits + sizeof(digits), number).ptr -
                    digits));
  }
  bool isCut() const { return cut; }
  /// Ends the text. Returns the number of bytes written, including the
  /// terminating zero.
  uint64_t finish() {
    if (cut)
      for (char *dot = end - std::min<ptrdiff_t>(3, end - begin); dot < end;)
        *dot++ = '.';
    *at = 0;
    return static_cast<uint64_t>(at - begin) + 1;
  }

private:
  char *begin, *end, *at;
  bool cut = false;
};

} // namespace

/// Appends one element.
static void putElement(Text &text, tg_dtype_t dtype, const char *data) {
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_ELEMENT(name, front, code, bits, host, rounding, ...)               \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits): {                                  \
    host element;                                                              \
    std::memcpy(&element, data, sizeof(element));                              \
    if (TG_ROUNDING_##rounding == TG_ROUNDING_TRUTH)                           \
      return text.put(element != host() ? "true" : "false");                   \
    return text.putNumber(+element);                                           \
  }
    TG_DTYPES(TG_ELEMENT)
#undef TG_ELEMENT
  default:
    text.put("?");
  }
}

/// Appends the elements from `axis` on, in brackets. Stops when the text is
/// full.
static const char *putElements(Text &text, const tg_tensor_t &tensor,
                               int32_t axis, const char *data) {
  if (axis == tensor.ndim) {
    putElement(text, tensor.dtype, data);
    return data + tensor.dtype.bits / 8;
  }
  text.put("[");
  for (int64_t i = 0; i < tensor.shape[axis] && !text.isCut(); ++i) {
    text.put(i ? ", " : "");
    data = putElements(text, tensor, axis + 1, data);
  }
  text.put("]");
  return data;
}

uint64_t tg_tensor_describe(const tg_tensor_t *tensor, char *text,
                            uint64_t bytes) {
  if (!tensor || !text || !bytes)
    return 0;
  Text made(text, bytes);
  made.put(tg_dtype_name(tensor->dtype));
  if (tensor->ndim > 0) {
    made.put("[");
    for (int32_t i = 0; i < tensor->ndim; ++i) {
      made.put(i ? ", " : "");
      made.putNumber(tensor->shape[i]);
    }
    made.put("]");
  }
  made.put(" ");
  putElements(made, *tensor, 0,
              static_cast<const char *>(tensor->data) + tensor->byte_offset);
  const uint64_t length = made.finish();
  return made.isCut() ? bytes + 1 : length;
}
