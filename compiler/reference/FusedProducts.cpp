//===- FusedProducts.cpp - fused multiply-adds of arrays ------------------===//
#include "compiler/reference/FusedProducts.h"

namespace {

// The builtin rounds once on every CPU. Without the instruction it calls a
// function of the C library.
template <typename T>
inline __attribute__((always_inline)) void
multiplyAddOf(const T *a, const T *b, const T *c, T *result, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    result[i] = __builtin_elementwise_fma(a[i], b[i], c[i]);
}

template <typename T>
inline __attribute__((always_inline)) void
addProductsOf(const T *a, int64_t aStep, const T *b, int64_t bStep, T *sums,
              int64_t count) {
  if (aStep == 0 && bStep == 1) {
    for (int64_t i = 0; i < count; ++i)
      sums[i] = __builtin_elementwise_fma(*a, b[i], sums[i]);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    sums[i] = __builtin_elementwise_fma(a[i * aStep], b[i * bStep], sums[i]);
}

} // namespace

#define TG_CLONES __attribute__((target_clones(TG_HOST_CLONES)))

TG_CLONES void tg::multiplyAdd(const float *a, const float *b, const float *c,
                               float *result, int64_t count) {
  multiplyAddOf(a, b, c, result, count);
}

TG_CLONES void tg::multiplyAdd(const double *a, const double *b,
                               const double *c, double *result, int64_t count) {
  multiplyAddOf(a, b, c, result, count);
}

TG_CLONES void tg::addProducts(const float *a, int64_t aStep, const float *b,
                               int64_t bStep, float *sums, int64_t count) {
  addProductsOf(a, aStep, b, bStep, sums, count);
}

TG_CLONES void tg::addProducts(const double *a, int64_t aStep, const double *b,
                               int64_t bStep, double *sums, int64_t count) {
  addProductsOf(a, aStep, b, bStep, sums, count);
}
