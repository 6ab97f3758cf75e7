/// Unwinding of the stack through the functions of a model.
#ifndef TG_COMPILER_LIBRARY_EMBEDDED_UNWINDING_H
#define TG_COMPILER_LIBRARY_EMBEDDED_UNWINDING_H

#include <stdint.h>

/// Decides what an unwinder does at a function with
/// TG_EMBEDDED_STOP_EXCEPTIONS: a personality routine of the Itanium C++ ABI,
/// which returns an _Unwind_Reason_Code. `actions` are _Unwind_Action bits.
/// Backtraces do not call it. Hidden, because unwind tables refer to it by its
/// distance.
__attribute__((visibility("hidden"))) int
tg_embedded_personality(int version, int actions, uint64_t exception_class,
                        void *exception, void *context);

/// A statement of a function of which no exception comes out. Debuggers need
/// the tables of all functions of a model, so an unwinder would also lead an
/// exception of a host function through a run, which would then never end: its
/// memory would stay in use and its floating-point mode set. Instead, throwing
/// it ends the process, as a throw without a handler does, at the place of the
/// throw.
#define TG_EMBEDDED_STOP_EXCEPTIONS                                            \
  __asm__ volatile(".cfi_personality 0x1b, tg_embedded_personality")

#endif // TG_COMPILER_LIBRARY_EMBEDDED_UNWINDING_H
