//===- Tokens.cpp - Splits MLIR text into tokens --------------------------===//
//
// Hand-written like MLIR's own lexer. Every loop advances the position, so a
// scan takes linear time.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/Tokens.h"

using namespace tg;

/// Returns true if `c` may start an identifier.
static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int tg::hexDigitValue(char c) {
  if (isDigit(c))
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

char Tokenizer::peek(size_t ahead) const {
  size_t at = position + ahead;
  return at < text.size() ? text[at] : '\0';
}

void Tokenizer::skipTrivia() {
  for (;;) {
    char c = peek();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++position;
      continue;
    }
    if (c != '/' || peek(1) != '/')
      return;
    size_t end = text.find_first_of("\n\r", position);
    position = end == std::string_view::npos ? text.size() : end;
  }
}

void Tokenizer::skipName(bool allowDash) {
  for (char c = peek(); isLetter(c) || isDigit(c) || c == '$' || c == '.' ||
                        (c == '-' && allowDash);
       c = peek())
    ++position;
}

void Tokenizer::skipString() {
  for (++position; position < text.size();) {
    char c = text[position];
    // MLIR stops at the end of the line, so the rest is never parsed.
    if (c == '\n')
      return;
    ++position;
    if (c == '"')
      return;
    if (c == '\\' && position < text.size() && text[position] != '\n')
      ++position;
  }
}

void Tokenizer::skipNumber() {
  if (peek() == '0' && peek(1) == 'x') {
    // Outside a shape `0xf32` is hexadecimal; `0xi32` is a 0 and a name.
    position += hexDigitValue(peek(2)) >= 0 ? 2 : 1;
    while (hexDigitValue(peek()) >= 0)
      ++position;
    return;
  }
  while (isDigit(peek()))
    ++position;
  if (peek() != '.')
    return;
  for (++position; isDigit(peek());)
    ++position;
  if (peek() != 'e' && peek() != 'E')
    return;
  size_t sign = peek(1) == '+' || peek(1) == '-';
  if (!isDigit(peek(1 + sign)))
    return;
  for (position += 1 + sign; isDigit(peek());)
    ++position;
}

void Tokenizer::skipPrefixed() {
  char prefix = peek();
  ++position;
  if (prefix == '@')
    return peek() == '"' ? skipString() : skipName(/*allowDash=*/false);
  if (!isDigit(peek()))
    return skipName(/*allowDash=*/true);
  while (isDigit(peek()))
    ++position;
}

TokenKind Tokenizer::skipToken() {
  char c = peek();
  if (isLetter(c)) {
    skipName(/*allowDash=*/false);
    return TokenKind::Word;
  }
  if (isDigit(c)) {
    skipNumber();
    return TokenKind::Number;
  }
  if (c == '"') {
    skipString();
    return TokenKind::String;
  }
  if (c == '{' && peek(1) == '-' && peek(2) == '#') {
    position += 3;
    return TokenKind::MetaBegin;
  }
  if (c == '#' && peek(1) == '-' && peek(2) == '}') {
    position += 3;
    return TokenKind::MetaEnd;
  }
  if (c == '-' && peek(1) == '>') {
    position += 2;
    return TokenKind::Arrow;
  }
  if ((c == '<' || c == '>' || c == '=') && peek(1) == '=') {
    position += 2;
    return TokenKind::Compare;
  }
  switch (c) {
  case '%':
    skipPrefixed();
    return TokenKind::Value;
  case '@':
    skipPrefixed();
    return TokenKind::Symbol;
  case '^':
    skipPrefixed();
    return TokenKind::Block;
  case '#':
    skipPrefixed();
    return TokenKind::Hash;
  case '!':
    skipPrefixed();
    return TokenKind::Type;
  default:
    break;
  }
  ++position;
  if (std::string_view("([{<").find(c) != std::string_view::npos)
    return TokenKind::Open;
  if (std::string_view(")]}>").find(c) != std::string_view::npos)
    return TokenKind::Close;
  return TokenKind::Punct;
}

Token Tokenizer::next() {
  skipTrivia();
  size_t start = position;
  if (start >= text.size())
    return {TokenKind::End, text.substr(text.size())};
  TokenKind kind = skipToken();
  return {kind, text.substr(start, position - start)};
}
