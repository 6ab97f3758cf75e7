//===- Entries.cpp - texts of checkpoints ---------------------------------===//
#include "Entries.h"

#include <charconv>
#include <nlohmann/json.hpp>

using namespace tg;
using namespace tg::training;

static constexpr std::string_view separator = " | ";

//===----------------------------------------------------------------------===//
// Descriptions
//===----------------------------------------------------------------------===//

/// Returns values as "x f32 [batch, 4], y f32 [batch]".
static std::string describeValues(const tg_function_t &function,
                                  const tg_value_t *const *values,
                                  uint32_t count) {
  std::string text;
  for (uint32_t i = 0; i < count; ++i) {
    const tg_value_t &value = *values[i];
    text += (i ? ", " : "") + std::string(value.name) + " " +
            tg_dtype_name(value.dtype) + " [";
    for (uint32_t d = 0; d < value.rank; ++d)
      text += (d ? ", " : "") +
              (value.dims[d] < 0 ? function.symbols[-1 - value.dims[d]]->name
                                 : std::to_string(value.dims[d]));
    text += "]";
  }
  return text;
}

/// Returns a variable as "variable w f32 [4, 3]".
static std::string describeVariable(const tg_variable_t &variable) {
  std::string text = "variable " + std::string(variable.name) + " " +
                     tg_dtype_name(variable.dtype) + " [";
  for (uint32_t d = 0; d < variable.rank; ++d)
    text += (d ? ", " : "") + std::to_string(variable.dims[d]);
  return text + "]";
}

static std::string hexOf(const uint8_t (&id)[16]) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : id) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string training::describe(const Model &model) {
  const tg_model_t &tables = model.tables();
  std::string text = tables.name;
  for (uint32_t i = 0; i < tables.function_count; ++i) {
    const tg_function_t &function = *tables.functions[i];
    text += std::string(separator) + "function " + function.name + "(" +
            describeValues(function, function.inputs, function.input_count) +
            ") -> (" +
            describeValues(function, function.outputs, function.output_count) +
            ")";
  }
  for (uint32_t i = 0; i < tables.variable_count; ++i)
    text += std::string(separator) + describeVariable(*tables.variables[i]);
  return text + std::string(separator) + "layout " + hexOf(tables.layout_id) +
         std::string(separator) + "code " + hexOf(tables.model_id);
}

/// Removes the first part of a description, and returns it.
static std::string_view takePart(std::string_view &text) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + separator.size());
  return part;
}

/// Returns a part for a message: in quotes, and cut short if it is long.
static std::string quoteOf(std::string_view part) {
  constexpr size_t limit = 120;
  return part.empty() ? "nothing"
                      : "'" + std::string(part.substr(0, limit)) +
                            (part.size() > limit ? "...'" : "'");
}

void training::expectSame(const char *what, const std::string &saved,
                          const std::string &current) {
  if (saved == current)
    return;
  std::string_view expected = saved, found = current;
  std::string_view expectedPart, foundPart;
  do {
    expectedPart = takePart(expected);
    foundPart = takePart(found);
  } while (expectedPart == foundPart && !(expected.empty() && found.empty()));
  throw data::DataError("expected the " + std::string(what) +
                        " of the checkpoint with " + quoteOf(expectedPart) +
                        ", found " + quoteOf(foundPart) +
                        "; use another directory to begin anew");
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::string training::textOf(const std::map<std::string, double> &numbers) {
  auto json = nlohmann::json::object();
  for (const auto &[name, number] : numbers) {
    char text[32]; // numbers that are not finite have no form in JSON
    const auto [end, error] = std::to_chars(text, text + sizeof(text), number);
    json[name] = std::string(text, end);
  }
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::map<std::string, double> training::parseNumbers(const std::string &text) {
  const auto refuse = [&] {
    throw data::DataError("expected an object of numbers, found '" +
                          text.substr(0, 40) + "'");
  };
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object())
    refuse();
  std::map<std::string, double> numbers;
  for (const auto &[name, value] : json.items()) {
    if (!value.is_string())
      refuse();
    const std::string number = value.get<std::string>();
    const char *const end = number.data() + number.size();
    const auto [rest, error] =
        std::from_chars(number.data(), end, numbers[name]);
    if (error != std::errc() || rest != end)
      refuse();
  }
  return numbers;
}
