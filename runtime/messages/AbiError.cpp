/// Finds the ABI version of a library, for a message.
#include "AbiError.h"

#include "Error.h"

using namespace tg;

/// The number of majors that are tried.
static constexpr uint32_t majors = 64;
static constexpr uint32_t lastMinor = 0xffff;

/// Returns true if a library accepts hosts of an ABI version.
static bool accepts(tg_model_get_fn *get, uint32_t target, uint32_t version) {
  const tg_model_t *model = nullptr;
  return get(version, target, &model) != TG_ERROR_ABI;
}

/// Finds a major that a library accepts. Tries the one of this runtime first.
static bool findMajor(tg_model_get_fn *get, uint32_t target, uint32_t &major) {
  for (uint32_t i = 0; i < majors; ++i) {
    major = (TG_ABI_MAJOR + i) % majors;
    if (accepts(get, target, major << 16 | lastMinor))
      return true;
  }
  return false;
}

/// Returns the lowest version of a major that a library accepts. A library that
/// accepts a minor accepts all higher ones.
static uint32_t findLowest(tg_model_get_fn *get, uint32_t target,
                           uint32_t major) {
  uint32_t low = 0, high = lastMinor;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (accepts(get, target, major << 16 | middle))
      high = middle;
    else
      low = middle + 1;
  }
  return major << 16 | high;
}

tg_status_t tg::failAbi(uint32_t version, tg_error_t *error) {
  return failNumber(error, TG_ERROR_ABI, version, TG_ABI_VERSION,
                    "the library has ABI %u.%u, expected %u.0 to %u.%u, which "
                    "this libtgrt runs",
                    version >> 16, version & 0xffff, TG_ABI_MAJOR, TG_ABI_MAJOR,
                    TG_ABI_MINOR);
}

tg_status_t tg::failAbi(tg_model_get_fn *get, uint32_t target,
                        tg_error_t *error) {
  uint32_t major;
  if (findMajor(get, target, major))
    return failAbi(findLowest(get, target, major), error);
  return failNumber(error, TG_ERROR_ABI, -1, TG_ABI_VERSION,
                    "the library accepts no ABI below %u.0, expected %u.0 to "
                    "%u.%u, which this libtgrt runs",
                    majors, TG_ABI_MAJOR, TG_ABI_MAJOR, TG_ABI_MINOR);
}
