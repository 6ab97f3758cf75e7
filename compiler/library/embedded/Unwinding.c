/// The personality routine of functions of which no exception comes out.
#include "Unwinding.h"

/// Values of _Unwind_Reason_Code and bits of _Unwind_Action.
enum { FATAL_IN_SEARCH = 3, CONTINUE_UNWIND = 8, SEARCH_PHASE = 1 };

int tg_embedded_personality(int version, int actions, uint64_t exception_class,
                            void *exception, void *context) {
  (void)version, (void)exception_class, (void)exception, (void)context;
  // The end of a thread unwinds without a search.
  return actions & SEARCH_PHASE ? FATAL_IN_SEARCH : CONTINUE_UNWIND;
}
