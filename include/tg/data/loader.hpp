/// Reads a data set in order on threads of its own, from any position.
#ifndef TG_DATA_LOADER_HPP
#define TG_DATA_LOADER_HPP

#include "dataset.hpp"

namespace tg::data {

/// The place in a data set between two elements. It does not depend on the
/// number of threads, on what is read ahead, or on the machine.
struct Position {
  uint64_t epoch = 0;
  /// The state of the stages, empty at the begin of an epoch.
  std::vector<uint64_t> numbers = {};

  bool operator==(const Position &) const = default;
  /// Returns the numbers as text: "3", "3:17".
  std::string text() const;
  /// Parses such a text. Throws DataError.
  static Position parse(const std::string &text);
};

struct LoaderOptions {
  /// The number of threads that read and prepare examples. With 0, next() does
  /// it in the thread of the caller.
  unsigned threads = 1;
  /// The number of elements that are read ahead.
  unsigned prefetch = 4;
};

/// Reads the elements of a data set: batches, if its last stage is batch().
/// Elements come in the order of the data set, whatever the number of threads.
/// One thread uses a loader at a time.
class Loader {
public:
  /// Begins at a position, which must be of a data set with the same
  /// description. Throws DataError if it cannot be one of this data set.
  Loader(const Dataset &data, const LoaderOptions &options = {},
         const Position &start = {});
  ~Loader();
  Loader(const Loader &) = delete;
  Loader &operator=(const Loader &) = delete;

  /// Returns the next element, which is valid until the next call, or null at
  /// the end of an epoch. The call after it begins the next epoch. Throws the
  /// DataError of the element; the next call continues after the element.
  const Example *next();
  /// Returns the position after the element that next() returned last.
  const Position &position() const;

private:
  class State;
  std::unique_ptr<State> state;
};

} // namespace tg::data

#endif // TG_DATA_LOADER_HPP
