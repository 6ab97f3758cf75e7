//===- Tokens.h - Splits MLIR text into tokens ------------------*- C++ -*-===//
//
// A tokenizer for MLIR text that agrees with MLIR's lexer on every text that
// MLIR accepts, and never fails on any other.
//
//===----------------------------------------------------------------------===//

#ifndef TG_COMPILER_FRONTEND_TEXT_TOKENS_H
#define TG_COMPILER_FRONTEND_TEXT_TOKENS_H

#include <cstddef>
#include <string_view>

namespace tg {

/// The kind of a token, as far as the pre-scan needs it.
enum class TokenKind {
  End,       ///< the text is over
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

/// One token: a piece of the text that outlives it.
struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;

  /// Returns true if this is the one-character token `c`.
  bool is(char c) const { return text.size() == 1 && text[0] == c; }
};

/// Walks over a text once, token by token. Holds no memory of its own.
class Tokenizer {
public:
  /// `text` must outlive the tokenizer and its tokens.
  explicit Tokenizer(std::string_view text) : text(text) {}

  /// The next token; `End` for ever once the text is over.
  Token next();

  /// Skips white space and comments.
  void skipTrivia();

  /// The character `ahead` bytes after the position, or 0 past the end.
  char peek(size_t ahead = 0) const;

  /// Moves on by `count` bytes, which must be left.
  void advance(size_t count) { position += count; }

  /// The bytes walked over so far.
  size_t offset() const { return position; }

private:
  /// Moves over the identifier characters at the position.
  void skipName(bool allowDash);
  /// Moves over the string literal that starts at the position.
  void skipString();
  /// Moves over the number that starts at the position.
  void skipNumber();
  /// Moves over the prefixed name (`%x`, `@"x"`) that starts at the position.
  void skipPrefixed();
  /// Moves over the token that starts at the position and says what it is.
  TokenKind skipToken();

  std::string_view text;
  size_t position = 0;
};

/// Returns true if `c` is a decimal digit in any locale.
inline bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// The value of the hexadecimal digit `c`, or -1.
int hexDigitValue(char c);

} // namespace tg

#endif // TG_COMPILER_FRONTEND_TEXT_TOKENS_H
