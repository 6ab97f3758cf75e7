/// Compares the instructions of a module with the table.
#ifndef TG_TEST_SIMULATOR_PTX_CHECK_H
#define TG_TEST_SIMULATOR_PTX_CHECK_H

#include "Module.h"

namespace tg::ptx {

/// Returns an error for each instruction of a module that the table does not
/// have, that is newer than the module's version or target, or whose operands
/// do not fit. Returns none if the module can be executed.
std::vector<Error> findUnsupported(const Module &module);

} // namespace tg::ptx

#endif
