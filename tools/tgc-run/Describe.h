/// Prints the content of a model library.
#ifndef TG_TOOLS_TGCRUN_DESCRIBE_H
#define TG_TOOLS_TGCRUN_DESCRIBE_H

#include "tg/abi.h"

namespace tg {

/// Prints the functions with inputs, outputs and sizes, and the variables, on
/// stdout.
void describe(const tg_model_t &model);

} // namespace tg

#endif // TG_TOOLS_TGCRUN_DESCRIBE_H
