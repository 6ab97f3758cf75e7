//===- Tokens.h - Splits MLIR text into tokens ------------------*- C++ -* ===//
//
// A tokenizer for MLIR text. It agrees with MLIR's lexer on every text that
// MLIR accepts, and never fails on other texts.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_TOKENS_H
#define TG_COMPILER_FRONTEND_TEXT_TOKENS_H

#include <cstddef>
#include <string_view>

namespace tg {

/// The kinds of tokens that the pre-scan distinguishes.
enum class TokenKind {
  End,       ///< the end of the text
  Word,      ///< a bare identifier or keyword: `module`, `tg.add`, `x4xf32`
  Number,    ///< an integer or float literal without its sign
  String,    ///< a string literal with its quotes, closed or not
  Value,     ///< `%name`
  Symbol,    ///< `@name` or `@"name"`
  Block,     ///< `^name`
  Hash,      ///< `#name`, `#dialect.name` or a result number `#3`
  Type,      ///< `!name` or `!dialect.name`
  Open,      ///< one of ( [ { <
  Close,     ///< one of ) ] } >
  Arrow,     ///< `->`
  Compare,   ///< `<=`, `>=` or `==`
  MetaBegin, ///< `{-#`, the start of the resource section
  MetaEnd,   ///< `#-}`
  Punct,     ///< any other character
};

/// A token: a view of a piece of the text.
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;

  /// Returns true if the token is the single character `c`.
  bool is(char c) const { return text.size() == 1 && text[0] == c; }
};

/// Iterates over a text once, token by token. Allocates no memory.
class Tokenizer {
public:
  /// `text` must outlive the tokenizer and its tokens.
  explicit Tokenizer(std::string_view text) : text(text) {}

  /// Returns the next token; `End` at and after the end of the text.
  Token next();

  /// Skips white space and comments.
  void skipTrivia();

  /// Returns the character `ahead` bytes after the position, or 0 past the end.
  char peek(size_t ahead = 0) const;

  /// Advances by `count` bytes, which must not exceed the rest of the text.
  void advance(size_t count) { position += count; }

  /// Returns the number of bytes consumed so far.
  size_t offset() const { return position; }

private:
  /// Skips the identifier characters at the position.
  void skipName(bool allowDash);
  /// Skips the string literal that starts at the position.
  void skipString();
  /// Skips the number that starts at the position.
  void skipNumber();
  /// Skips the prefixed name (`%x`, `@"x"`) that starts at the position.
  void skipPrefixed();
  /// Skips the token that starts at the position and returns its kind.
  TokenKind skipToken();

  std::string_view text;
  size_t position = 0;
};

/// Returns true if `c` is a decimal digit in any locale.
inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Returns the value of the hexadecimal digit `c`, or -1.
int hexDigitValue(char c);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_TOKENS_H
