/// The directory of a training, which one process uses at a time.
#ifndef TG_RUNTIME_TRAINING_LOOP_RUNDIRECTORY_H
#define TG_RUNTIME_TRAINING_LOOP_RUNDIRECTORY_H

#include "runtime/files/Files.h"

#include <string>

namespace tg::training {

/// Makes a directory if it does not exist, and locks it until the end of this
/// object, or of the process.
class RunDirectory {
public:
  /// Throws data::DataError, also if another training uses the directory.
  explicit RunDirectory(const std::string &path);

private:
  Descriptor lock;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_LOOP_RUNDIRECTORY_H
