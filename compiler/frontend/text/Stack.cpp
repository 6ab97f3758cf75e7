//===- Stack.cpp - Runs a function on a large stack -----------------------===//
//
// Uses pthreads directly: llvm::thread ends the process if it cannot start.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/Stack.h"

#include <pthread.h>
#include <system_error>

using namespace tg;

/// The entry point of the thread: calls the function that `argument` points to.
static void *callFunction(void *argument) {
  (*static_cast<llvm::function_ref<void()> *>(argument))();
  return nullptr;
}

llvm::Error tg::runOnLargeStack(llvm::function_ref<void()> function,
                                size_t bytes) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    pthread_t thread;
    error = pthread_attr_setstacksize(&attributes, bytes);
    if (error == 0)
      error = pthread_create(&thread, &attributes, callFunction, &function);
    pthread_attr_destroy(&attributes);
    if (error == 0)
      error = pthread_join(thread, nullptr);
  }
  if (error == 0)
    return llvm::Error::success();
  std::error_code code(error, std::generic_category());
  return llvm::createStringError(
      code, "cannot start a thread with a stack of %zu bytes: %s", bytes,
      code.message().c_str());
}
