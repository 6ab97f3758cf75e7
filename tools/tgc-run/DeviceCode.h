/// Prints what the code of a library for devices needs.
#ifndef TG_TOOLS_TGCRUN_DEVICECODE_H
#define TG_TOOLS_TGCRUN_DEVICECODE_H

#include "tg/abi.h"

#include <string>

namespace tg {

/// Prints the compute capability and the driver that each target for GPUs
/// needs, and the kernels of users among them, on stdout. Needs no GPU. `model`
/// is a table of the library at `path`.
void describeDeviceCode(const std::string &path, const tg_model_t &model);

} // namespace tg

#endif // TG_TOOLS_TGCRUN_DEVICECODE_H
