/// SHA-256 digests of the results of a run, as text.
#ifndef TG_TOOLS_TGCRUN_DIGESTREPORT_H
#define TG_TOOLS_TGCRUN_DIGESTREPORT_H

#include "runtime/files/Sha256.h"
#include "tg/runtime.hpp"

#include <string>

namespace tg {

/// Returns a digest as 64 lower-case hexadecimal digits.
std::string toHex(const Digest &digest);

/// Returns a line for each output of the function, in the order of its table,
/// for each variable of the model, in the order of its table, and for all
/// variables together: the digest of the elements, what they are, the name, the
/// element type and the shape. Without values of the variables there are only
/// lines of outputs. `outputs` are those of a run of `context`.
std::string describeDigests(const tg_model_t &model,
                            const tg_function_t &function,
                            const Outputs &outputs, const Context &context);

} // namespace tg

#endif // TG_TOOLS_TGCRUN_DIGESTREPORT_H
