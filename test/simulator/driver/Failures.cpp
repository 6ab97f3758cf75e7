#include "Failures.h"

#include <charconv>

using namespace tg::simulator;

std::string_view tg::simulator::definedName(std::string_view name) {
  struct Entry {
    std::string_view name, defined;
  };
  static constexpr Entry entries[] = {
#define FUNCTION(name, parameters) {#name, #name},
#define ALIAS(name, function) {#name, #function},
#include "CudaFunctions.def"
#undef FUNCTION
#undef ALIAS
  };
  for (const Entry &entry : entries)
    if (entry.name == name)
      return entry.defined;
  return "";
}

/// Takes the text up to a mark, or all of it, from the front of a text.
static std::string_view takeUpTo(std::string_view &text, char mark) {
  size_t end = std::min(text.find(mark), text.size());
  std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

void Failures::plant(std::string_view text) {
  while (!text.empty()) {
    std::string_view entry = takeUpTo(text, ',');
    std::string_view function = takeUpTo(entry, ':');
    std::string_view number = takeUpTo(entry, '=');
    uint64_t nth = 0;
    int code = 0;
    std::from_chars(number.data(), number.data() + number.size(), nth);
    std::from_chars(entry.data(), entry.data() + entry.size(), code);
    plant(function, nth, code);
  }
}

bool Failures::plant(std::string_view function, uint64_t nth, int code) {
  std::string_view name = definedName(function);
  if (name.empty())
    return false;
  Calls &calls = functions[std::string(name)];
  calls.codes[calls.count + nth] = code;
  return true;
}

CUresult Failures::count(std::string_view function) {
  auto found = functions.find(function);
  if (found == functions.end())
    return CUDA_SUCCESS;
  Calls &calls = found->second;
  auto code = calls.codes.find(++calls.count);
  return code == calls.codes.end() ? CUDA_SUCCESS
                                   : static_cast<CUresult>(code->second);
}
