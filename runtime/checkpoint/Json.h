/// JSON as the headers of checkpoints use it. Hides the parser, which takes
/// long to compile.
#ifndef TG_RUNTIME_CHECKPOINT_JSON_H
#define TG_RUNTIME_CHECKPOINT_JSON_H

#include <cstdint>
#include <string>

namespace tg {

/// Receives the events of a JSON text in order. Functions that return false end
/// the reading.
class JsonEvents {
public:
  virtual ~JsonEvents() = default;

  virtual bool beginObject() = 0;
  virtual bool key(std::string &text) = 0;
  virtual bool endObject() = 0;
  virtual bool beginArray() = 0;
  virtual bool endArray() = 0;
  virtual bool text(std::string &text) = 0;
  /// Receives an integer that is not negative.
  virtual bool number(uint64_t number) = 0;
  /// Receives null, a boolean or another number.
  virtual bool other() = 0;
  /// Receives the position of the byte at which the text is not JSON.
  virtual void syntaxError(uint64_t position) = 0;
};

/// Passes the events of a text to `events`. Returns false if one of its
/// functions did or if the text is not JSON. May throw std::bad_alloc.
bool readJson(const char *text, uint64_t bytes, JsonEvents &events);

/// Appends a text in quotes. Returns false and appends nothing if it is not
/// UTF-8. May throw std::bad_alloc.
bool appendJson(const char *text, std::string &to);

} // namespace tg

#endif // TG_RUNTIME_CHECKPOINT_JSON_H
