/// Reads and writes JSON by nlohmann/json.
#include "Json.h"

#include <nlohmann/json.hpp>

using namespace tg;
using Json = nlohmann::json;

namespace {

/// Passes events on.
class EventSender final : public nlohmann::json_sax<Json> {
public:
  explicit EventSender(JsonEvents &events) : events(events) {}

  bool null() override { return events.other(); }
  bool boolean(bool) override { return events.other(); }
  bool number_integer(number_integer_t) override { return events.other(); }
  bool number_unsigned(number_unsigned_t number) override {
    return events.number(number);
  }
  bool number_float(number_float_t, const string_t &) override {
    return events.other();
  }
  bool string(string_t &text) override { return events.text(text); }
  bool binary(binary_t &) override { return events.other(); }
  bool start_object(std::size_t) override { return events.beginObject(); }
  bool key(string_t &text) override { return events.key(text); }
  bool end_object() override { return events.endObject(); }
  bool start_array(std::size_t) override { return events.beginArray(); }
  bool end_array() override { return events.endArray(); }
  bool parse_error(std::size_t position, const std::string &,
                   const nlohmann::detail::exception &) override {
    events.syntaxError(position);
    return false;
  }

private:
  JsonEvents &events;
};

} // namespace

bool tg::readJson(const char *text, uint64_t bytes, JsonEvents &events) {
  EventSender sender(events);
  return Json::sax_parse(text, text + bytes, &sender);
}

bool tg::appendJson(const char *text, std::string &to) {
  try {
    to += Json(text).dump();
    return true;
  } catch (const Json::exception &) {
    return false;
  }
}
