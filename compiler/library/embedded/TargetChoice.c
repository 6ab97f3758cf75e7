/// Chooses the table whose code this CPU can run.
#include "Embedded.h"

#include <cpuid.h>

/// Bits of CPUID and XCR0 that define the levels of the x86-64 psABI.
enum {
  // Leaf 1, ecx: SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT.
  V2_LEAF_1_ECX = 1 << 0 | 1 << 9 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 23,
  // Leaf 0x80000001, ecx: LAHF-SAHF.
  V2_EXTENDED_ECX = 1 << 0,
  // Leaf 1, ecx: FMA, MOVBE, OSXSAVE, AVX, F16C.
  V3_LEAF_1_ECX = 1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29,
  // Leaf 7, ebx: BMI1, AVX2, BMI2.
  V3_LEAF_7_EBX = 1 << 3 | 1 << 5 | 1 << 8,
  // Leaf 0x80000001, ecx: LZCNT.
  V3_EXTENDED_ECX = 1 << 5,
  // XCR0: the operating system saves xmm and ymm.
  V3_XCR0 = 1 << 1 | 1 << 2,
  // XCR0: also masks and both halves of zmm.
  V4_XCR0 = V3_XCR0 | 1 << 5 | 1 << 6 | 1 << 7
};

/// Leaf 7, ebx: AVX512F, AVX512DQ, AVX512CD, AVX512BW, AVX512VL.
static const uint32_t V4_LEAF_7_EBX =
    1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;

/// Returns the register sets that the operating system saves. Call it only if
/// CPUID has OSXSAVE.
static uint32_t readXcr0(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/// Returns true if value has all bits of mask.
static int hasAll(uint32_t value, uint32_t mask) {
  return (value & mask) == mask;
}

uint32_t tg_embedded_cpu_isa_level(void) {
  uint32_t eax, ebx, ecx, edx, features, extended;
  if (!__get_cpuid(1, &eax, &ebx, &features, &edx) ||
      !__get_cpuid(0x80000001, &eax, &ebx, &extended, &edx))
    return 1;
  if (!hasAll(features, V2_LEAF_1_ECX) || !hasAll(extended, V2_EXTENDED_ECX))
    return 1;
  if (!hasAll(features, V3_LEAF_1_ECX) || !hasAll(extended, V3_EXTENDED_ECX) ||
      !__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) ||
      !hasAll(ebx, V3_LEAF_7_EBX))
    return 2;
  const uint32_t saved = readXcr0();
  if (!hasAll(saved, V3_XCR0))
    return 2;
  return hasAll(ebx, V4_LEAF_7_EBX) && hasAll(saved, V4_XCR0) ? 4 : 3;
}

tg_status_t tg_embedded_model_get(uint32_t abi_version, uint32_t target,
                                  const tg_model_t **model,
                                  const tg_model_t *const *tables,
                                  uint32_t table_count) {
  if (!model)
    return TG_ERROR_NULL;
  *model = 0;
  const uint32_t level = tg_embedded_cpu_isa_level();
  tg_status_t status = TG_ERROR_NOT_FOUND;
  for (uint32_t i = 0; i < table_count; ++i) {
    const tg_model_t *table = tables[i];
    const int isDevice = table->device_type != 0;
    if (target == TG_TARGET_BEST ? isDevice : table->target != target)
      continue;
    if (abi_version >> 16 != table->abi_version >> 16 ||
        (abi_version & 0xffff) < (table->abi_version & 0xffff)) {
      status = TG_ERROR_ABI;
      continue;
    }
    if (!isDevice && table->target > level) {
      status = TG_ERROR_TARGET;
      continue;
    }
    if (!*model || table->target > (*model)->target)
      *model = table;
  }
  return *model ? TG_OK : status;
}
