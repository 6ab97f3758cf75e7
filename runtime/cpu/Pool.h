/// The interface of libtgrt's own thread pools for contexts.
#ifndef TG_RUNTIME_CPU_POOL_H
#define TG_RUNTIME_CPU_POOL_H

#include "tg/runtime.h"

namespace tg {

/// Counts a context as a user of the pool of `parallel`, if that is a libtgrt
/// pool. May be called from any thread.
void enterPool(const tg_parallel_t &parallel);

/// Removes a context from the count. May be called from any thread.
void leavePool(const tg_parallel_t &parallel);

} // namespace tg

#endif // TG_RUNTIME_CPU_POOL_H
