/// Helpers of the calls on functions and launches.
#ifndef TG_TEST_SIMULATOR_DRIVER_FUNCTIONS_H
#define TG_TEST_SIMULATOR_DRIVER_FUNCTIONS_H

#include "Driver.h"

namespace tg::simulator {

/// Returns true for the handle of a function of a module of a context.
bool isFunction(const CUctx_st &context, const CUfunc_st *function);

/// Returns the most threads that a block of a kernel may have.
uint64_t threadLimit(const ptx::Code &code);

} // namespace tg::simulator

#endif
