//===- LayerMistakes.cpp - error messages that name a layer ---------------===//
#include "compiler/frontend/nn/LayerMistakes.h"

#include <algorithm>
#include <string_view>

using namespace tg;
using namespace tg::dsl;

static constexpr std::string_view kMade = ", made in ";
static constexpr std::string_view kCalled = ", called from ";

/// Returns true if a message begins with the name of a layer, "'net/Conv2D_1':
/// " or "'net/Conv2D_1', made in line 5: ", or with the open path, which names
/// an inner layer.
static bool beginsWithName(std::string_view sentence, const std::string &path) {
  if (!path.empty() && sentence.starts_with(path))
    return true;
  const size_t end = sentence.find('\'', 1);
  if (!sentence.starts_with('\'') || end == sentence.npos)
    return false;
  const std::string_view rest = sentence.substr(end + 1);
  return rest.starts_with(": ") || rest.starts_with(kMade) ||
         rest.starts_with(kCalled);
}

/// Returns an error about the first input whose elements are floats (if
/// `isFloats` is true) or not floats (otherwise): "expected input to be float,
/// found i32 [n, 3]". Returns "" if there is no such input.
static std::string findInput(const std::vector<TensorType> &inputs,
                             bool isFloats, const std::string &expected) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (isFloat(inputs[i].dtype) == isFloats)
      return "expected input " +
             (inputs.size() > 1 ? std::to_string(i) + " " : "") + "to be " +
             expected + ", found " + toString(inputs[i].dtype) + " " +
             toString(inputs[i].shape);
  return "";
}

std::string dsl::floatInputError(const std::vector<TensorType> &inputs) {
  return findInput(inputs, /*isFloats=*/false, "float");
}

/// Returns an error about the inputs of a layer if the message reports an op of
/// the layer with operands of the wrong kind of element type. Returns "" for
/// any other message.
static std::string findKind(std::string_view sentence, const std::string &path,
                            const std::vector<TensorType> &inputs) {
  auto says = [&](std::string_view words) {
    return sentence.find(words) != sentence.npos;
  };
  // The message is about a number in an operation with integers, or about an op
  // of the layer itself.
  if (sentence.starts_with("expected a whole number with integer operands"))
    return floatInputError(inputs);
  if (!sentence.starts_with("'" + path + "': 'tg."))
    return "";
  if (says("of floats, found") || says("expected element_type f32 or f64"))
    return floatInputError(inputs);
  if (says("of indices (i32 or i64), found"))
    return findInput(inputs, /*isFloats=*/true, "i32 or i64");
  return "";
}

GraphError dsl::nameLayer(const GraphError &error, const BodyPtr &body,
                          const std::vector<TensorType> &inputs) {
  std::string sentence = error.message;
  std::string path = body->path();
  std::string mistake = findKind(sentence, path, inputs);
  if (!mistake.empty())
    sentence = mistake;
  if (!beginsWithName(sentence, path))
    sentence = "'" + path + "': " + sentence;
  return GraphError(sentence, error.file, error.line, error.column,
                    error.others);
}

/// Returns a place for a message about a line in `file`: "line 14", or
/// "net.cpp:14".
static std::string lineOf(const Place &place, const std::string &file) {
  return (file == place.file_name() ? "line "
                                    : place.file_name() + std::string(":")) +
         std::to_string(place.line());
}

/// Returns true if the beginning of a message names a line.
static bool names(const std::string &beginning, const std::string &line) {
  const size_t at = beginning.find(line);
  return at != std::string::npos && (at + line.size() == beginning.size() ||
                                     beginning[at + line.size()] == ' ' ||
                                     beginning[at + line.size()] == ',');
}

GraphError dsl::placeInCall(const GraphError &error, std::optional<Place> made,
                            Place called) {
  const size_t end = std::min(error.message.find(": "), error.message.size());
  std::string beginning = error.message.substr(0, end);
  const std::string rest = error.message.substr(end);
  auto isAt = [&](const Place &place) {
    return error.line == place.line() && error.file == place.file_name();
  };
  if (made && isAt(*made) && error.column == made->column()) {
    if (!isAt(called))
      beginning += std::string(kMade) + lineOf(*made, called.file_name());
    return GraphError(beginning + rest, called.file_name(), called.line(),
                      called.column(), error.others);
  }
  const std::string line = lineOf(called, error.file);
  if (isAt(called) || names(beginning, line))
    return error;
  beginning += beginning.find(kCalled) == std::string::npos
                   ? std::string(kCalled) + line
                   : " and " + line;
  return GraphError(beginning + rest, error.file, error.line, error.column,
                    error.others);
}
