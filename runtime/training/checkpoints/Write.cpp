//===- Write.cpp - Writes checkpoints in a thread -------------------------===//

#include "Names.h"
#include "tg/data/feature.hpp"
#include "tg/training/checkpoints.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <utility>

using namespace tg;
using namespace tg::training;

namespace {

/// Memory that is released by free().
struct Free {
  void operator()(void *memory) const { std::free(memory); }
};
using Block = std::unique_ptr<std::byte[], Free>;

/// Allocates memory, whose first use is fast: in huge pages if it is large.
Block allocateBlock(uint64_t bytes) {
  constexpr uint64_t hugePage = 2 << 20;
  const uint64_t alignment = bytes < 2 * hugePage ? 64 : hugePage;
  const uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
  Block block(static_cast<std::byte *>(
      std::aligned_alloc(alignment, std::max(rounded, alignment))));
  if (!block)
    throw std::bad_alloc();
  if (alignment == hugePage)
    ::madvise(block.get(), rounded, MADV_HUGEPAGE);
  return block;
}

/// A checkpoint to write: everything but the copy of the variables.
struct Job {
  Model model; // keeps its library loaded
  CheckpointState state;
  std::vector<std::string> paths;
  std::function<void()> prepare;
};

} // namespace

/// The thread that writes, and the copy of the variables that it writes. The
/// copy belongs to the thread while there is a job, otherwise to the caller.
class CheckpointWriter::Thread {
public:
  Thread(std::string directory, CheckpointOptions options)
      : directory(std::move(directory)), options(options) {}
  ~Thread();

  /// Waits until there is no job. Throws the error of the last one.
  void wait();
  /// Copies the variables of a context.
  void copy(const Model &model, const Context &context);
  /// Gives a job to the thread.
  void start(Job given);

  const std::string directory;

private:
  void run();
  void write(const Job &given);
  void removeOld(uint64_t step) const;

  const CheckpointOptions options;
  Block block;
  uint64_t blockBytes = 0;
  bool isFirst = true;

  std::mutex lock; // guards the members below
  std::condition_variable changed;
  std::optional<Job> job;
  std::exception_ptr error;
  bool isEnding = false;
  std::thread thread;
};

CheckpointWriter::Thread::~Thread() {
  {
    const std::lock_guard guard(lock);
    isEnding = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void CheckpointWriter::Thread::wait() {
  std::unique_lock guard(lock);
  changed.wait(guard, [&] { return !job; });
  if (const std::exception_ptr thrown = std::exchange(error, nullptr))
    std::rethrow_exception(thrown);
}

void CheckpointWriter::Thread::copy(const Model &model,
                                    const Context &context) {
  const uint64_t bytes = model.tables().slab_bytes;
  if (bytes != blockBytes) {
    blockBytes = 0;
    block.reset();
    block = allocateBlock(bytes);
    blockBytes = bytes;
  }
  detail::check(tg_context_export_variables,
                static_cast<const tg_context_t *>(context.handle()),
                static_cast<void *>(block.get()), bytes);
}

/// Starts a thread in which no signal handler runs.
template <typename Task> static std::thread startWithoutSignals(Task task) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread started(task);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
  } catch (...) {
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
}

void CheckpointWriter::Thread::start(Job given) {
  if (!thread.joinable())
    thread = startWithoutSignals([this] { run(); });
  const std::lock_guard guard(lock);
  job = std::move(given);
  changed.notify_all();
}

void CheckpointWriter::Thread::run() {
  std::unique_lock guard(lock);
  for (;;) {
    changed.wait(guard, [&] { return job || isEnding; });
    if (!job)
      return;
    guard.unlock();
    std::exception_ptr thrown;
    try {
      write(*job);
    } catch (...) {
      thrown = std::current_exception();
    }
    guard.lock();
    error = thrown;
    job.reset();
    changed.notify_all();
  }
}

void CheckpointWriter::Thread::write(const Job &given) {
  if (given.prepare)
    given.prepare();
  if (std::exchange(isFirst, false))
    removeAbandoned(directory);
  std::map<std::string, std::string> entries = given.state.entries;
  entries.emplace(stepKey, std::to_string(given.state.step));
  for (const std::string &path : given.paths)
    given.model.save({block.get(), blockBytes}, entries, path);
  removeOld(given.state.step);
}

/// Removes old checkpoints up to the step of a new one. Later ones exist only
/// if they could not be resumed, so they do not count.
void CheckpointWriter::Thread::removeOld(uint64_t step) const {
  if (!options.keep)
    return;
  uint64_t kept = 0;
  for (const uint64_t found : checkpointSteps(directory)) {
    const std::filesystem::path path = checkpointPath(directory, found);
    std::error_code failed;
    if (found > step ||
        !is_regular_file(std::filesystem::symlink_status(path, failed)) ||
        ++kept <= options.keep)
      continue;
    std::filesystem::remove(path, failed);
    if (failed)
      throw data::DataError(path.string() +
                            ": cannot remove: " + failed.message());
  }
}

//===----------------------------------------------------------------------===//
// CheckpointWriter
//===----------------------------------------------------------------------===//

CheckpointWriter::CheckpointWriter(std::string directory,
                                   CheckpointOptions options)
    : thread(std::make_unique<Thread>(std::move(directory), options)) {}

CheckpointWriter::~CheckpointWriter() = default;

/// Throws DataError if a file with a name cannot be put beside checkpoints.
static void checkName(const std::string &name) {
  if (name.empty() || name.front() == '.' ||
      name.find('/') != std::string::npos ||
      parseCheckpointName(name + std::string(checkpointSuffix)))
    throw data::DataError("expected the name of a file beside checkpoints, "
                          "without '/', found '" +
                          name + "'");
}

void CheckpointWriter::save(const Model &model, const Context &context,
                            CheckpointState state,
                            const std::vector<std::string> &names,
                            std::function<void()> prepare) {
  if (state.entries.contains(stepKey))
    throw data::DataError(
        "found an entry with the key 'step', expected none, because the number "
        "of steps becomes this entry");
  std::vector<std::string> paths = {
      checkpointPath(thread->directory, state.step)};
  for (const std::string &name : names) {
    checkName(name);
    paths.push_back((std::filesystem::path(thread->directory) /
                     (name + std::string(checkpointSuffix)))
                        .string());
  }
  thread->wait();
  thread->copy(model, context);
  thread->start(
      {model, std::move(state), std::move(paths), std::move(prepare)});
}

void CheckpointWriter::wait() { thread->wait(); }
