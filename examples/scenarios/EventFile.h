/// The values of an event file, for scenarios that write one.
#ifndef TG_EXAMPLES_SCENARIOS_EVENTFILE_H
#define TG_EXAMPLES_SCENARIOS_EVENTFILE_H

#include <tg/data/images.hpp>
#include <tg/data/records.hpp>

#include <protozero/pbf_reader.hpp>

#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

/// A directory for the files of a scenario, which is removed in the end.
struct Directory {
  explicit Directory(const std::string &name)
      : path(std::filesystem::temp_directory_path() /
             ("scenario-" + std::to_string(getpid()) + "-" + name)) {}
  ~Directory() { std::filesystem::remove_all(path); }
  Directory(const Directory &) = delete;

  const std::string path;
};

/// A value of an event: a scalar or an image.
struct ShownValue {
  int64_t step = 0;
  std::string tag;
  float scalar = 0;
  tg::data::Feature image;
};

/// Parses a tensorflow.Summary.Image.
inline tg::data::Feature parseImage(protozero::pbf_reader message) {
  while (message.next())
    if (message.tag() == 4) {
      protozero::data_view png = message.get_view();
      return tg::data::decodePng(
          std::as_bytes(std::span(png.data(), png.size())));
    } else {
      message.skip();
    }
  return {};
}

/// Parses a tensorflow.Summary.Value.
inline ShownValue parseValue(protozero::pbf_reader message) {
  ShownValue value;
  while (message.next())
    switch (message.tag()) {
    case 1:
      value.tag = message.get_string();
      break;
    case 2:
      value.scalar = message.get_float();
      break;
    case 4:
      value.image = parseImage(message.get_message());
      break;
    default:
      message.skip();
    }
  return value;
}

/// Appends the values of a tensorflow.Event.
inline void parseEvent(protozero::pbf_reader message,
                       std::vector<ShownValue> &values) {
  int64_t step = 0;
  size_t before = values.size();
  while (message.next())
    if (message.tag() == 2) {
      step = message.get_int64();
    } else if (message.tag() == 5) {
      protozero::pbf_reader summary = message.get_message();
      while (summary.next(1))
        values.push_back(parseValue(summary.get_message()));
    } else {
      message.skip();
    }
  for (size_t i = before; i < values.size(); ++i)
    values[i].step = step;
}

/// Returns the events of a file, in order.
inline std::vector<std::string> eventsOf(const std::string &path) {
  tg::data::TFRecordSource records({path}, {.keepsIndex = false});
  std::vector<std::string> events;
  for (uint64_t i = 0; i < records.size(); ++i) {
    tg::data::Feature record = records.read(i)[0];
    events.emplace_back(reinterpret_cast<const char *>(record.data()),
                        record.size());
  }
  return events;
}

/// Returns the scalars and images of an event file, in order.
inline std::vector<ShownValue> readEvents(const std::string &path) {
  std::vector<ShownValue> values;
  for (const std::string &event : eventsOf(path))
    parseEvent(protozero::pbf_reader(event), values);
  return values;
}

/// Returns the names of the nodes of the graphs of an event file.
inline std::vector<std::string> readGraph(const std::string &path) {
  std::vector<std::string> names;
  for (const std::string &event : eventsOf(path))
    for (protozero::pbf_reader message(event); message.next(4);)
      // A serialized tensorflow.GraphDef, of tensorflow.NodeDef.
      for (protozero::pbf_reader graph = message.get_message(); graph.next(1);)
        for (protozero::pbf_reader node = graph.get_message(); node.next(1);)
          names.push_back(node.get_string());
  return names;
}

#endif // TG_EXAMPLES_SCENARIOS_EVENTFILE_H
