/// The summaries of a training as lines of JSON.
#ifndef TG_RUNTIME_TRAINING_LOOP_METRICSFILE_H
#define TG_RUNTIME_TRAINING_LOOP_METRICSFILE_H

#include "runtime/files/Files.h"
#include "tg/training/callback.hpp"

namespace tg::training {

/// Appends a line for each summary to metrics.jsonl, with numbers of 17 digits,
/// which read back exactly: {"step":20,"loss":0.25}. Numbers that are not
/// finite are the texts "NaN", "Infinity" and "-Infinity".
class MetricsFile {
public:
  /// Opens or makes the file in a directory. Keeps the lines of the steps up to
  /// `step` and removes what follows, lines that were not completed included.
  /// Throws data::DataError, as do all functions.
  MetricsFile(const std::string &directory, uint64_t step);

  void write(uint64_t step, const Scalars &scalars);
  /// Waits until all lines are on the disk. May be called from another thread,
  /// also while a line is written.
  void sync() const;

private:
  std::string path;
  Descriptor file;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_LOOP_METRICSFILE_H
