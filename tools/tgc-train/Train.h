/// Trains a model as a command line asks for.
#ifndef TG_TOOLS_TGCTRAIN_TRAIN_H
#define TG_TOOLS_TGCTRAIN_TRAIN_H

#include "CommandLine.h"

namespace tg {

/// Trains until the end or until SIGTERM or SIGINT. Returns the status of the
/// process. Throws data::DataError and RuntimeError.
int train(const CommandLine &line);

} // namespace tg

#endif // TG_TOOLS_TGCTRAIN_TRAIN_H
