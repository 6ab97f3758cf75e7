//===- Stack.h - Runs a function on a large stack ---------------*- C++ -* ===//
//
// MLIR's parser, verifier and passes recurse over nested input, and the stack
// of the main thread has no guaranteed size.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_STACK_H
#define TG_COMPILER_FRONTEND_TEXT_STACK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstddef>

namespace tg {

/// Bytes of address space for the stack. Pages use memory only when touched.
inline constexpr size_t largeStackBytes = size_t(256) << 20;

/// Runs `function` on a new thread with a stack of `bytes` bytes and waits for
/// it. Returns an error, without running `function`, if the thread cannot be
/// created.
llvm::Error runOnLargeStack(llvm::function_ref<void()> function,
                            size_t bytes = largeStackBytes);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_STACK_H
