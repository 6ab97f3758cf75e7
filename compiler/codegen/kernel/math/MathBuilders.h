// Builders for functions that no upstream op provides.
#ifndef TG_COMPILER_CODEGEN_KERNEL_MATH_MATHBUILDERS_H
#define TG_COMPILER_CODEGEN_KERNEL_MATH_MATHBUILDERS_H

#include "mlir/IR/Builders.h"

#include <array>

namespace tg {

/// Builds erfinv(x) for f32, f64 or a vector of them. The result is infinite at
/// ±1 and NaN beyond. Emits no math op that needs expansion.
mlir::Value buildErfInv(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value x);

/// Builds the four words of Philox4x32-10 as i32, or as vectors of i32 if
/// `blockIndex` is a vector. `blockIndex` is i64 or a vector of i64 and is
/// taken modulo 2^32; `stream` is an i32; `counter` and `seed` are i64 scalars.
/// The dialect's section on randomness defines how key and counter are formed.
std::array<mlir::Value, 4> buildPhilox(mlir::OpBuilder &builder,
                                       mlir::Location loc,
                                       mlir::Value blockIndex,
                                       mlir::Value stream, mlir::Value counter,
                                       mlir::Value seed);

/// Same, for a stream that is known at compile time.
std::array<mlir::Value, 4> buildPhilox(mlir::OpBuilder &builder,
                                       mlir::Location loc,
                                       mlir::Value blockIndex, uint32_t stream,
                                       mlir::Value counter, mlir::Value seed);

/// Builds a uniform f32 sample on [0, 1), (word >> 8)·2^-24, from an i32 word
/// or a vector of words.
mlir::Value buildUniformF32(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value word);

/// Builds a uniform f64 sample on [0, 1), (W >> 11)·2^-53, from W = low +
/// 2^32·high.
mlir::Value buildUniformF64(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value low, mlir::Value high);

/// Builds a standard normal f32 sample, sqrt(2)·erfinv(2v - 1) with v = ((word
/// >> 9) + 1/2)·2^-23. If `truncated`, the distribution is truncated to (-2,
/// 2).
mlir::Value buildNormalF32(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value word, bool truncated);

/// Builds a standard normal f64 sample in the same way, with
/// v = ((W >> 12) + 1/2)·2^-52 and W = low + 2^32·high.
mlir::Value buildNormalF64(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value low, mlir::Value high, bool truncated);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_MATH_MATHBUILDERS_H
