//===- Position.cpp - positions as text -----------------------------------===//
#include "tg/data/loader.hpp"

#include <charconv>

using namespace tg::data;

std::string Position::text() const {
  std::string text = std::to_string(epoch);
  for (uint64_t number : numbers)
    text += ":" + std::to_string(number);
  return text;
}

Position Position::parse(const std::string &text) {
  std::vector<uint64_t> all;
  const char *next = text.data();
  const char *const end = next + text.size();
  for (;;) {
    const auto [after, error] = std::from_chars(next, end, all.emplace_back());
    if (error != std::errc() || (after != end && *after != ':'))
      throw DataError("expected whole numbers with colons between, found '" +
                      text + "'");
    if (after == end)
      break;
    next = after + 1;
  }
  return {all.front(), {all.begin() + 1, all.end()}};
}
