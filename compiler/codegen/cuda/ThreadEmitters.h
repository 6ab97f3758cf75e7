//===- ThreadEmitters.h - the code of a thread for each strategy ----------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_THREADEMITTERS_H
#define TG_COMPILER_CODEGEN_CUDA_THREADEMITTERS_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// Emits a thread for each element of a kernel's outputs, which have equal
/// extents. Takes the elements from `elements`.
llvm::LogicalResult emitElements(ThreadFrame &frame, ElementEmitter &elements);

/// Returns true if the threads of an elementwise kernel keep their columns of
/// arguments that have one row for all rows of the outputs.
bool keepsColumns(ThreadFrame &frame);
/// Emits such threads.
llvm::LogicalResult emitColumns(ThreadFrame &frame, ElementEmitter &elements);

/// Emits blocks of threads for each part of a kernel with parts. Parts that
/// follow one another and differ in extents and memory alone share their code.
llvm::LogicalResult emitParts(ThreadFrame &frame);

/// Emits threads for each reduced group of a kernel. Takes the elements of the
/// reductions' operands, and of the outputs, from `elements`.
llvm::LogicalResult emitReducedGroups(ThreadFrame &frame,
                                      ElementEmitter &elements);

/// Emits a thread for each element of the result of a contraction, or threads
/// for each reduced group of it. If the contraction has an order of Winograd's
/// tiles, a thread computes a tile (winograd/WinogradThreads.h).
llvm::LogicalResult emitProducts(ThreadFrame &frame);

/// Emits the threads of an op with an emitter of its own (custom/). Fails with
/// a diagnostic if the op has none for this target.
llvm::LogicalResult emitCustomThreads(ThreadFrame &frame);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_THREADEMITTERS_H
