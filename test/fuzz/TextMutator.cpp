//===- TextMutator.cpp - mutates models token by token --------------------===//
//
// Random bytes rarely parse. Mutating tokens and lines, and inserting those of
// other models, makes some texts that reach the passes.
//
//===----------------------------------------------------------------------===//
#include "compiler/frontend/text/Tokens.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace tg;

extern "C" size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);

namespace {
/// The mutation of one text.
class TextMutator {
public:
  TextMutator(std::string text, unsigned seed)
      : text(std::move(text)), random(seed) {}

  /// Applies one mutation.
  void change();
  const std::string &get() const { return text; }

private:
  size_t below(size_t bound) { return bound ? random() % bound : 0; }
  void replace(std::string_view part, std::string_view by) {
    text.replace(part.data() - text.data(), part.size(), std::string(by));
  }
  /// Returns all tokens of `text`.
  std::vector<Token> tokens() const;
  /// Returns a random line of the text, including its line break.
  std::string_view line();

  void replaceToken(const Token &token);
  void replaceNumber(const Token &token);

  std::string text;
  std::minstd_rand random;
};
} // namespace

/// Tokens of earlier texts, by kind.
static std::array<std::vector<std::string>, 16> pool;

static constexpr size_t kPoolSize = 4096;

static constexpr std::string_view kNumbers[] = {"0",
                                                "1",
                                                "2",
                                                "16",
                                                "17",
                                                "64",
                                                "65",
                                                "4096",
                                                "65536",
                                                "2147483648",
                                                "4294967296",
                                                "4611686018427387904",
                                                "9223372036854775807",
                                                "18446744073709551616",
                                                "1.0",
                                                "0.0",
                                                "1.0e308",
                                                "1.0e-320",
                                                "0x7FC00000"};

std::vector<Token> TextMutator::tokens() const {
  std::vector<Token> result;
  Tokenizer tokenizer(text);
  for (Token token = tokenizer.next(); token.kind != TokenKind::End;
       token = tokenizer.next())
    result.push_back(token);
  return result;
}

std::string_view TextMutator::line() {
  size_t at = below(text.size());
  size_t begin = text.rfind('\n', at);
  begin = begin == std::string::npos ? 0 : begin + 1;
  size_t end = std::min(text.find('\n', begin), text.size() - 1);
  return std::string_view(text).substr(begin, end + 1 - begin);
}

void TextMutator::replaceToken(const Token &token) {
  std::vector<std::string> &known = pool[size_t(token.kind) % pool.size()];
  std::string fresh =
      known.empty() ? std::string(token.text) : known[below(known.size())];
  if (known.size() < kPoolSize)
    known.emplace_back(token.text);
  else
    known[below(kPoolSize)] = token.text;
  replace(token.text, fresh);
}

void TextMutator::replaceNumber(const Token &token) {
  std::string number(kNumbers[below(std::size(kNumbers))]);
  replace(token.text, below(4) ? number : "-" + number);
}

void TextMutator::change() {
  std::vector<Token> all = tokens();
  if (all.empty() || text.empty())
    return;
  const Token &token = all[below(all.size())];
  switch (below(6)) {
  case 0:
    return replace(token.text, "");
  case 1: {
    std::string copy(line());
    return (void)text.insert(line().data() - text.data(), copy);
  }
  case 2:
    return replace(line(), "");
  case 3:
    for (const Token &other : all)
      if (other.kind == TokenKind::Number && below(4) == 0)
        return replaceNumber(other);
    return replaceToken(token);
  default:
    return replaceToken(token);
  }
}

/// Copies at most `most` bytes of the text to `bytes` and returns the size.
static size_t give(const std::string &text, uint8_t *bytes, size_t most) {
  const size_t size = std::min(text.size(), most);
  std::memcpy(bytes, text.data(), size);
  return size;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size,
                                          size_t most, unsigned seed) {
  if (seed % 16 == 0)
    return LLVMFuzzerMutate(bytes, size, most);
  TextMutator mutator(std::string(bytes, bytes + size), seed / 16);
  for (unsigned changes = 1 + seed / 16 % 3; changes > 0; --changes)
    mutator.change();
  return give(mutator.get(), bytes, most);
}

/// Joins the first lines of one text and the last lines of another.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *first,
                                            size_t firstSize,
                                            const uint8_t *second,
                                            size_t secondSize, uint8_t *bytes,
                                            size_t most, unsigned seed) {
  const std::string front(first, first + firstSize);
  const std::string back(second, second + secondSize);
  std::minstd_rand random(seed);
  const size_t cut = front.find('\n', firstSize ? random() % firstSize : 0);
  const size_t from = back.find('\n', secondSize ? random() % secondSize : 0);
  return give(front.substr(0, cut) +
                  (from == std::string::npos ? "" : back.substr(from)),
              bytes, most);
}
