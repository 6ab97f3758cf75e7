//===- Stack.h - Runs a function on a large stack ---------------*- C++ -*-===//
//
// MLIR's parser, verifier and passes recurse over nested input; the main
// thread's stack is whatever the user's limits leave of it.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_STACK_H
#define TG_COMPILER_FRONTEND_TEXT_STACK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstddef>

namespace tg {

/// Bytes of address space for the stack; memory is used only as it is touched.
inline constexpr size_t largeStackBytes = size_t(256) << 20;

/// Runs `function` on a new thread with a stack of `bytes` and waits for its
/// end. Returns an error, without having run it, if there is no such thread.
llvm::Error runOnLargeStack(llvm::function_ref<void()> function,
                            size_t bytes = largeStackBytes);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_STACK_H
