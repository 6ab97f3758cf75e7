// Functions that kernel emitters build where no upstream op exists.
#ifndef TG_COMPILER_CODEGEN_KERNEL_MATH_MATHBUILDERS_H
#define TG_COMPILER_CODEGEN_KERNEL_MATH_MATHBUILDERS_H

#include "mlir/IR/Builders.h"

#include <array>

namespace tg {

/// erfinv(x) for f32, f64 or a vector of them: infinite at ±1, NaN beyond.
/// Builds no math op that would still need expanding.
mlir::Value buildErfInv(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value x);

/// The four words of Philox4x32-10 as i32, or as vectors of i32 if
/// `blockIndex` is a vector. `blockIndex` is i64 or a vector of i64 and is
/// taken modulo 2^32; `stream` is an i32, `counter` and `seed` are i64 scalars.
/// The dialect's section on randomness defines how they make key and counter.
std::array<mlir::Value, 4> buildPhilox(mlir::OpBuilder &builder,
                                       mlir::Location loc,
                                       mlir::Value blockIndex,
                                       mlir::Value stream, mlir::Value counter,
                                       mlir::Value seed);

/// The same for a stream known at compile time.
std::array<mlir::Value, 4> buildPhilox(mlir::OpBuilder &builder,
                                       mlir::Location loc,
                                       mlir::Value blockIndex, uint32_t stream,
                                       mlir::Value counter, mlir::Value seed);

/// Uniform on [0, 1) in f32, (word >> 8)·2^-24, of an i32 word or a vector.
mlir::Value buildUniformF32(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value word);

/// Uniform on [0, 1) in f64, (W >> 11)·2^-53 of W = low + 2^32·high.
mlir::Value buildUniformF64(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value low, mlir::Value high);

/// Standard normal in f32, sqrt(2)·erfinv(2v - 1) with
/// v = ((word >> 9) + 1/2)·2^-23; `truncated` cuts it to (-2, 2).
mlir::Value buildNormalF32(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value word, bool truncated);

/// Standard normal in f64, with v = ((W >> 12) + 1/2)·2^-52.
mlir::Value buildNormalF64(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value low, mlir::Value high, bool truncated);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_KERNEL_MATH_MATHBUILDERS_H
