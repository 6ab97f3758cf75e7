/// Writes safetensors headers, and names element types.
#include "Safetensors.h"

#include "tg/dtypes.h"

#include <cstdio>

using namespace tg;

const char *tg::safetensorsDtype(tg_dtype_t dtype) {
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_NAMED(name, front, code, bits, host, rounding, compute, sum,        \
                 product, safetensors, npy)                                    \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return safetensors;
    TG_DTYPES(TG_NAMED)
#undef TG_NAMED
#define TG_NAMED(name, code, bits, safetensors)                                \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return safetensors;
    TG_FOREIGN_DTYPES(TG_NAMED)
#undef TG_NAMED
  default:
    return nullptr;
  }
}

namespace {

/// A text whose bytes are counted, and also written unless `into` is null.
class Text {
public:
  explicit Text(char *into) : into(into) {}

  void put(const char *text) {
    for (; *text; ++text)
      put(*text);
  }
  void put(char c) {
    if (into)
      into[length] = c;
    ++length;
  }
  void put(uint64_t number) {
    char digits[24];
    std::snprintf(digits, sizeof(digits), "%llu",
                  static_cast<unsigned long long>(number));
    put(digits);
  }
  /// Appends a JSON string of UTF-8 without control characters.
  void putQuoted(const char *text) {
    put('"');
    for (; *text; ++text) {
      if (*text == '"' || *text == '\\')
        put('\\');
      put(*text);
    }
    put('"');
  }
  void putHex(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      put("0123456789abcdef"[bytes[i] >> 4]);
      put("0123456789abcdef"[bytes[i] & 15]);
    }
  }

  uint64_t length = 0;

private:
  char *into;
};

} // namespace

uint64_t tg::writeSafetensorsHeader(const tg_model_t &model,
                                    const uint32_t *order, const Digest &digest,
                                    const char *entries, char *into) {
  Text text(into);
  text.put(safetensorsHeaderStart);
  text.put(formatDigest({}).data()); // zeros, for which the hash is computed
  text.put("\",\"");
  text.put(safetensorsHashesKey);
  text.put("\":\"header, data\",\"format\":\"tg\",\"");
  text.put(safetensorsModelKey);
  text.put("\":");
  text.putQuoted(model.name);
  text.put(",\"tg.model_id\":\"");
  text.putHex(model.model_id, sizeof(model.model_id));
  text.put("\",\"");
  text.put(safetensorsDigestKey);
  text.put("\":\"");
  text.put(formatDigest(digest).data());
  text.put('"');
  text.put(entries);
  text.put('}');
  uint64_t begin = 0;
  for (uint32_t i = 0; i < model.variable_count; ++i) {
    const tg_variable_t &variable = *model.variables[order[i]];
    text.put(',');
    text.putQuoted(variable.name);
    text.put(":{\"dtype\":");
    text.putQuoted(safetensorsDtype(variable.dtype));
    text.put(",\"shape\":[");
    for (uint32_t d = 0; d < variable.rank; ++d) {
      if (d)
        text.put(',');
      text.put(static_cast<uint64_t>(variable.dims[d]));
    }
    text.put("],\"data_offsets\":[");
    text.put(begin);
    text.put(',');
    text.put(begin += variable.bytes);
    text.put("]}");
  }
  text.put('}');
  while (text.length % 8)
    text.put(' ');
  return text.length;
}
