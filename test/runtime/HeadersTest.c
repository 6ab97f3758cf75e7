/* The C headers alone, as C11 with all warnings: that this compiles is the
 * test. */
#include <tg/abi.h>
#include <tg/dtypes.h>
#include <tg/runtime.h>

int tg_headers_compile(void);

int tg_headers_compile(void) {
  const tg_dtype_t dtype = {TG_DTYPE_INT, 8, 1};
  return (int)TG_ABI_VERSION + tg_dtype_name(dtype)[0];
}
