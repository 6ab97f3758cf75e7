#include "Lexer.h"

#include <bit>
#include <charconv>

using namespace tg::ptx;

/// Returns true for a character of a name. Locales have no influence.
static bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%';
}

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

static bool isBlank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t Lexer::nameLength(size_t from) const {
  size_t end = from;
  while (end < text.size() && isNameCharacter(text[end]))
    ++end;
  return end - from;
}

Token Lexer::take(Token::Kind kind, size_t length) {
  Token token{kind, line, text.substr(at, length)};
  at += length;
  return token;
}

void Lexer::skipBlanks() {
  while (at < text.size()) {
    std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      size_t end = text.find("*/", at + 2);
      if (end == text.npos)
        throw Error{line, "expected '*/', found the end of the text"};
      for (; at < end + 2; ++at)
        line += text[at] == '\n';
    } else if (isBlank(rest[0])) {
      line += rest[0] == '\n';
      ++at;
    } else {
      return;
    }
  }
}

Token Lexer::takeString() {
  size_t end = text.find_first_of("\"\n", at + 1);
  if (end == text.npos || text[end] == '\n')
    throw Error{line, "expected '\"', found the end of the line"};
  return take(Token::Kind::String, end + 1 - at);
}

Token Lexer::takeHexFloat(size_t digits) {
  Token token = take(Token::Kind::Float, 2 + digits);
  const char *first = token.text.data() + 2, *last = first + digits;
  auto [end, error] = std::from_chars(first, last, token.bits, 16);
  if (error != std::errc() || end != last)
    throw Error{line, "expected " + std::to_string(digits) +
                          " hexadecimal digits, found '" +
                          std::string(token.text) + "'"};
  token.isSingle = digits == 8;
  return token;
}

/// Parses an integer without sign: decimal, 0x, 0b or octal, with an optional U
/// at its end.
static bool parseInteger(std::string_view text, uint64_t &value) {
  if (text.ends_with('U') || text.ends_with('u'))
    text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X"))
    base = 16;
  else if (text.starts_with("0b") || text.starts_with("0B"))
    base = 2;
  else if (text.size() > 1 && text[0] == '0')
    base = 8;
  text.remove_prefix(base == 16 || base == 2 ? 2 : 0);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

Token Lexer::takeNumber() {
  std::string_view rest = text.substr(at);
  size_t length = nameLength(at);
  if (rest[0] == '0' && length == 10 && (rest[1] == 'f' || rest[1] == 'F'))
    return takeHexFloat(8);
  if (rest[0] == '0' && length == 18 && (rest[1] == 'd' || rest[1] == 'D'))
    return takeHexFloat(16);
  Token token{Token::Kind::Integer, line, rest.substr(0, length)};
  if (parseInteger(token.text, token.bits) &&
      !rest.substr(length).starts_with('.')) {
    at += length;
    return token;
  }
  double value = 0;
  auto [end, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), value);
  size_t used = end - rest.data();
  if (error != std::errc() || nameLength(at + used) != 0)
    throw Error{line, "expected a number, found '" +
                          std::string(token.text.substr(0, 40)) + "'"};
  token = take(Token::Kind::Float, used);
  token.bits = std::bit_cast<uint64_t>(value);
  return token;
}

Token Lexer::next() {
  skipBlanks();
  if (at == text.size())
    return {Token::Kind::End, line, "the end of the text"};
  char c = text[at];
  if (c == '"')
    return takeString();
  if (isDigit(c))
    return takeNumber();
  if (isNameCharacter(c))
    return take(Token::Kind::Name, nameLength(at));
  if (c == '.' && nameLength(at + 1) != 0) {
    ++at;
    return take(Token::Kind::Dotted, nameLength(at));
  }
  if (std::string_view("{}()[]<>,;:=+-!@|").find(c) != std::string_view::npos)
    return take(Token::Kind::Punctuation, 1);
  throw Error{line, "unexpected character with code " +
                        std::to_string(static_cast<unsigned char>(c))};
}
