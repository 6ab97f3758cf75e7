/// The batches of a training, with the position after each.
#ifndef TG_RUNTIME_TRAINING_LOOP_BATCHES_H
#define TG_RUNTIME_TRAINING_LOOP_BATCHES_H

#include "tg/data/loader.hpp"

#include <exception>
#include <utility>

namespace tg::training {

/// Reads one batch ahead of the training, to find the ends of epochs.
class Batches {
public:
  Batches(const data::Dataset &data, const data::LoaderOptions &options,
          const data::Position &start);

  /// Returns the batch of the next step. Throws its DataError, and one for an
  /// epoch without batches.
  const data::Example &current();
  /// Goes on to the batch after the current one, whose memory is free
  /// afterwards. Returns true if the current one was the last of its epoch. The
  /// errors of the next batch are left to current().
  bool advance();
  /// Returns the position between the batch before and the current one.
  const data::Position &position() const { return start; }
  /// Returns the time for which the functions above waited, in seconds.
  double waited() const { return seconds; }

private:
  const data::Example *read();

  data::Loader loader;
  data::Position start;
  const data::Example *batch = nullptr;
  std::exception_ptr error;
  double seconds = 0;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_LOOP_BATCHES_H
