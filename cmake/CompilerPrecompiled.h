// The headers that most files of the compiler above the dialects include, in
// addition to MlirPrecompiled.h.
#include "dialects/tgx/Tgx.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
