//===- ChannelElements.h - elements along the innermost dimension ---------===//
//
// An op such as a pooling of channels reads, for neighbours along the innermost
// dimension of its result, neighbours along that of its operand. If all ops of
// a kernel do so, a thread computes some neighbours as a vector, and loads and
// stores each vector by one instruction.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CUDA_CHANNELELEMENTS_H
#define TG_COMPILER_CODEGEN_CUDA_CHANNELELEMENTS_H

#include "compiler/codegen/cuda/ThreadFrame.h"
#include "compiler/codegen/kernel/ElementEmitter.h"

namespace tg {

/// Returns the number of neighbours that a thread of a kernel computes as a
/// vector; 1 if the ops are elementwise, or if an op has no such vectors. Call
/// it before the thread begins.
unsigned countChannels(ThreadFrame &frame);

/// Emits threads that compute vectors of `count` neighbours, at least 2.
llvm::LogicalResult emitChannels(ThreadFrame &frame, unsigned count);

} // namespace tg

#endif // TG_COMPILER_CODEGEN_CUDA_CHANNELELEMENTS_H
