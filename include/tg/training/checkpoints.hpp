/// Checkpoints of a training, files in one directory that are named by the
/// number of finished steps. A checkpoint is a safetensors file of all
/// variables, with everything else that a resumed training needs as texts in
/// its metadata. Hashes cover all of it.
#ifndef TG_TRAINING_CHECKPOINTS_HPP
#define TG_TRAINING_CHECKPOINTS_HPP

#include "../runtime.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tg::training {

/// Everything in a checkpoint except for the variables.
struct CheckpointState {
  /// The number of finished steps.
  uint64_t step = 0;
  /// Texts in UTF-8, by keys such as "data.position". The key "step" and keys
  /// that libtgrt reserves (tg_entry_t) are not allowed.
  std::map<std::string, std::string> entries = {};

  bool operator==(const CheckpointState &) const = default;
};

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

struct CheckpointOptions {
  /// The number of checkpoints that are kept. Older ones are removed once a new
  /// one is safely on the disk. 0: all.
  uint64_t keep = 3;
};

/// Writes checkpoints behind the next steps. One thread uses a writer, and one
/// writer a directory, at a time. At any moment, also after a crash or with a
/// full disk, the checkpoints in the directory are whole.
class CheckpointWriter {
public:
  /// The directory must exist.
  explicit CheckpointWriter(std::string directory,
                            CheckpointOptions options = {});
  /// Waits for the checkpoint that is being written, and drops its error.
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter &) = delete;
  CheckpointWriter &operator=(const CheckpointWriter &) = delete;

  /// Saves the variables of a context as checkpoint-<step>.safetensors, and in
  /// files of other names, such as "min-valid-loss", which are never removed:
  /// min-valid-loss.safetensors. Waits for the checkpoint before it and throws
  /// its error, copies the variables, and returns; a thread writes the copy.
  /// Throws RuntimeError, and data::DataError for names and keys that are not
  /// allowed. The thread calls `prepare`, unless it is empty, before it writes;
  /// what it throws is the error of the checkpoint, which is then not written.
  void save(const Model &model, const Context &context, CheckpointState state,
            const std::vector<std::string> &names = {},
            std::function<void()> prepare = {});

  /// Waits until the last checkpoint is safely on the disk, and throws its
  /// error: RuntimeError, or data::DataError if an older one cannot be removed.
  void wait();

private:
  class Thread;
  std::unique_ptr<Thread> thread;
};

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Returns the path of the checkpoint after so many steps:
/// "run/checkpoint-120.safetensors".
std::string checkpointPath(const std::string &directory, uint64_t step);

/// Returns the steps of all names of checkpoints in a directory, the newest one
/// first. Opens none of them; names with leading zeros are none. Throws
/// data::DataError if the directory cannot be read.
std::vector<uint64_t> checkpointSteps(const std::string &directory);

/// Checks that a file is a whole checkpoint, by its hashes, and returns its
/// state. Throws RuntimeError and data::DataError.
CheckpointState readCheckpoint(const std::string &path);

/// Loads the variables of a checkpoint. Throws RuntimeError, also if they are
/// not those of the context's model; the context is then unchanged.
void loadCheckpoint(Context &context, const std::string &path);

/// A checkpoint in a directory.
struct FoundCheckpoint {
  std::string path;
  CheckpointState state;
};

/// A file with the name of a checkpoint that is none, and the reason.
struct SkippedCheckpoint {
  std::string path;
  std::string reason;
};

/// Returns the newest whole checkpoint of a directory, or nothing if it has
/// none. Passes over files that are damaged, incomplete or of another program,
/// and over links, directories and pipes, and adds them to `skipped` if it is
/// not null. Throws data::DataError if the directory cannot be read.
std::optional<FoundCheckpoint>
newestCheckpoint(const std::string &directory,
                 std::vector<SkippedCheckpoint> *skipped = nullptr);

} // namespace tg::training

#endif // TG_TRAINING_CHECKPOINTS_HPP
