/* The element types of tensors, one row each, as needed by compiler, runtime,
 * frontend and tools. Their enumerators, names, codes and visitors are
 * generated from these rows.
 *
 * C11 and C++20, as abi.h.
 */
#ifndef TG_DTYPES_H
#define TG_DTYPES_H

#include "abi.h"

/* The conversion of a result that an element type cannot represent. */
typedef enum tg_rounding_t {
  TG_ROUNDING_NEAREST, /* IEEE 754: to nearest, ties to even */
  TG_ROUNDING_WRAPS,   /* modulo 2^bits; fractions are truncated */
  TG_ROUNDING_TRUTH    /* no arithmetic: 0 stays 0, all else becomes 1 */
} tg_rounding_t;

/* The types that models compute with:
 *
 * X(name, front, code, bits, host, rounding, compute, sum, product,
 *   safetensors, npy)
 *
 *   name         in the IR and in messages
 *   front        in C++ programs that build models: the enumerator of tg::DType
 *   code, bits   TG_DTYPE_<code>, and the bits of an element in memory
 *   host         the C type of an element in memory
 *   rounding     TG_ROUNDING_<rounding>
 *   compute      the row of the type of elements in registers, in which
 *                arithmetic is done
 *   sum          the row in which sums of elements accumulate
 *   product      the row in which sums of products accumulate; the result
 *                type of a matmul of integers
 *   safetensors, npy   the names in these formats
 */
#define TG_DTYPES(X)                                                           \
  X(f32, f32, FLOAT, 32, float, NEAREST, f32, f32, f32, "F32", "<f4")          \
  X(f64, f64, FLOAT, 64, double, NEAREST, f64, f64, f64, "F64", "<f8")         \
  X(i8, i8, INT, 8, int8_t, WRAPS, i8, i8, i32, "I8", "|i1")                   \
  X(i16, i16, INT, 16, int16_t, WRAPS, i16, i16, i16, "I16", "<i2")            \
  X(i32, i32, INT, 32, int32_t, WRAPS, i32, i32, i32, "I32", "<i4")            \
  X(i64, i64, INT, 64, int64_t, WRAPS, i64, i64, i64, "I64", "<i8")            \
  X(ui8, u8, UINT, 8, uint8_t, WRAPS, ui8, ui8, i32, "U8", "|u1")              \
  X(i1, boolean, BOOL, 8, uint8_t, TRUTH, i1, i1, i1, "BOOL", "|b1")

/* Element types that models do not support, but that tensors of hosts and
 * checkpoints of other programs may have. They are named in messages: X(name,
 * code, bits, safetensors).
 */
#define TG_FOREIGN_DTYPES(X)                                                   \
  X(f16, FLOAT, 16, "F16")                                                     \
  X(bf16, BFLOAT, 16, "BF16")                                                  \
  X(ui16, UINT, 16, "U16")                                                     \
  X(ui32, UINT, 32, "U32")                                                     \
  X(ui64, UINT, 64, "U64")

/* Code and bits combined into one number, a constant for switches. */
#define TG_DTYPE_KEY(code, bits) ((code) << 8 | (bits))

/* Returns the name of an element type in messages. */
static inline const char *tg_dtype_name(tg_dtype_t dtype) {
  if (dtype.lanes != 1)
    return "a vector type";
  switch (TG_DTYPE_KEY(dtype.code, dtype.bits)) {
#define TG_NAMED(name, front, code, bits, ...)                                 \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return #name;
    TG_DTYPES(TG_NAMED)
#undef TG_NAMED
#define TG_NAMED(name, code, bits, safetensors)                                \
  case TG_DTYPE_KEY(TG_DTYPE_##code, bits):                                    \
    return #name;
    TG_FOREIGN_DTYPES(TG_NAMED)
#undef TG_NAMED
  default:
    return "an unsupported type";
  }
}

#endif /* TG_DTYPES_H */
