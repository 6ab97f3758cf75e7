//===- FusedProducts.h - fused multiply-adds of arrays --------------------===//
#ifndef TG_COMPILER_REFERENCE_FUSEDPRODUCTS_H
#define TG_COMPILER_REFERENCE_FUSEDPRODUCTS_H

#include <cstdint>

namespace tg {

/// Compute result[i] = a[i] * b[i] + c[i], rounded once. Use the instruction of
/// the CPU if it has one.
void multiplyAdd(const float *a, const float *b, const float *c, float *result,
                 int64_t count);
void multiplyAdd(const double *a, const double *b, const double *c,
                 double *result, int64_t count);

/// Compute sums[i] = a[i * aStep] * b[i * bStep] + sums[i], rounded once.
void addProducts(const float *a, int64_t aStep, const float *b, int64_t bStep,
                 float *sums, int64_t count);
void addProducts(const double *a, int64_t aStep, const double *b, int64_t bStep,
                 double *sums, int64_t count);

} // namespace tg

#endif // TG_COMPILER_REFERENCE_FUSEDPRODUCTS_H
