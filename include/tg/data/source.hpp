/// Sources of examples: those that read any example by its index, and those
/// that read examples in order.
#ifndef TG_DATA_SOURCE_HPP
#define TG_DATA_SOURCE_HPP

#include "feature.hpp"

#include <optional>

namespace tg::data {

/// Examples and their places. All functions may be called from several threads
/// at once.
class Records {
public:
  virtual ~Records() = default;

  virtual const ExampleType &type() const = 0;
  /// Returns the place of an example for lists: "a.tfrecord:17".
  virtual std::string place(uint64_t index) const = 0;
  /// Returns the place of an example for messages: "a.tfrecord: record 17 at
  /// byte 4242".
  virtual std::string location(uint64_t index) const { return place(index); }
  /// Returns the byte of its file at which an example begins, if it is known.
  virtual std::optional<uint64_t> byte(uint64_t) const { return std::nullopt; }
};

/// Examples that can be read in any order.
class Source : public Records {
public:
  /// Returns the number of examples.
  virtual uint64_t size() const = 0;
  /// Reads the example with this index, which is less than size(). Throws
  /// DataError.
  virtual std::vector<Feature> read(uint64_t index) const = 0;
};

/// Examples that can only be read in order, such as those of compressed files.
class Stream : public Records {
public:
  /// A pass over the examples, used by one thread at a time.
  class Reader {
  public:
    virtual ~Reader() = default;
    /// Reads the next example. Returns false at the end. Throws DataError.
    virtual bool next(std::vector<Feature> &features) = 0;
    /// Continues after the first `count` examples of the pass. The default
    /// reads them.
    virtual void skip(uint64_t count);
  };

  /// Begins pass `epoch`, which is 0 for the first pass.
  virtual std::unique_ptr<Reader> open(uint64_t epoch) const = 0;
};

} // namespace tg::data

#endif // TG_DATA_SOURCE_HPP
