/// Event files as files of the system.
#ifndef TG_RUNTIME_TRAINING_EVENTS_EVENTFILE_H
#define TG_RUNTIME_TRAINING_EVENTS_EVENTFILE_H

#include "runtime/files/Files.h"

#include <string>
#include <string_view>

namespace tg::training {

/// The parts of the name of an event file.
struct EventFileName {
  /// Seconds since 1970.
  double time = 0;
  std::string host;
  int64_t process = 0;
  std::string suffix;
};

/// A new file of records. It has whole records at all times but during a write.
/// All functions throw data::DataError.
class EventFile {
public:
  /// Creates the file, and its directory if there is none.
  EventFile(const std::string &directory, const EventFileName &name);

  /// Collects a record, and writes all collected ones if there are many.
  void append(std::string_view record);
  /// Writes all collected records. After an error the file ends behind the last
  /// whole one, and the next call continues there.
  void flush();
  /// Writes all collected records and closes the file.
  void close();

  const std::string &path() const { return name; }

private:
  /// Creates the file under a name that no file has.
  void create(const std::string &directory, const EventFileName &parts);
  [[noreturn]] void fail(const char *action, int number) const;

  std::string name;
  Descriptor file;
  /// The collected records, and the size of the file.
  std::string records;
  uint64_t written = 0;
};

} // namespace tg::training

#endif // TG_RUNTIME_TRAINING_EVENTS_EVENTFILE_H
