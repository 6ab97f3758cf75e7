/* The C headers alone, as C11 with all warnings: that this compiles is the
 * test. */
#include <tg/abi.h>
#include <tg/runtime.h>

int tg_headers_compile(void);

int tg_headers_compile(void) { return (int)TG_ABI_VERSION; }
