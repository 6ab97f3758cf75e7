/// Event files in tests: their directory, and their events as structs.
#ifndef TG_TEST_TRAINING_EVENTS_EVENTFILES_H
#define TG_TEST_TRAINING_EVENTS_EVENTFILES_H

#include "test/data/Files.h"
#include "tg/data/records.hpp"
#include "tg/training/events.hpp"

#include <protozero/pbf_reader.hpp>

namespace tg::training {

/// The fields of an event, and its last value of a summary.
struct Event {
  double time = 0;
  int64_t step = 0;
  std::string version, graph, tag, metadata;
  /// The field of the value, and its bytes.
  uint32_t kind = 0;
  std::string value;
  float scalar = 0;
  int sessionStatus = -1;
};

class EventsTest : public data::FilesTest {
protected:
  /// Options of a writer whose files have equal names and times.
  EventWriterOptions fixed() {
    return {.clock = [this] { return seconds += 0.5; },
            .host = "host",
            .process = 42};
  }
  double seconds = 1700000000;
};

inline void readValue(protozero::pbf_reader value, Event &event) {
  while (value.next())
    switch (value.tag()) {
    case 1:
      event.tag = value.get_string();
      break;
    case 2:
      event.kind = 2;
      event.scalar = value.get_float();
      break;
    case 9:
      event.metadata = value.get_bytes();
      break;
    default:
      event.kind = value.tag();
      event.value = value.get_bytes();
    }
}

inline Event readEvent(const data::Feature &record) {
  const auto *bytes = reinterpret_cast<const char *>(record.data());
  protozero::pbf_reader message(bytes, record.byteCount());
  Event event;
  while (message.next())
    switch (message.tag()) {
    case 1:
      event.time = message.get_double();
      break;
    case 2:
      event.step = message.get_int64();
      break;
    case 3:
      event.version = message.get_string();
      break;
    case 4:
      event.graph = message.get_bytes();
      break;
    case 5: {
      protozero::pbf_reader summary = message.get_message();
      while (summary.next(1))
        readValue(summary.get_message(), event);
      break;
    }
    case 7: {
      protozero::pbf_reader log = message.get_message();
      while (log.next(1))
        event.sessionStatus = log.get_enum();
      break;
    }
    default:
      ADD_FAILURE() << "field " << message.tag();
      message.skip();
    }
  return event;
}

/// Reads all records of a file, whose checksums are checked.
inline std::vector<Event> readEvents(const std::string &path) {
  const data::TFRecordSource records({path}, {.keepsIndex = false});
  std::vector<Event> events;
  for (uint64_t i = 0; i < records.size(); ++i)
    events.push_back(readEvent(records.read(i)[0]));
  return events;
}

inline std::string bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace tg::training

#endif // TG_TEST_TRAINING_EVENTS_EVENTFILES_H
