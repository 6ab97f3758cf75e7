/// The tokens of PTX text.
#ifndef TG_TEST_SIMULATOR_PTX_LEXER_H
#define TG_TEST_SIMULATOR_PTX_LEXER_H

#include "Module.h"

#include <string_view>

namespace tg::ptx {

/// A token; its text lies in the text of the module.
struct Token {
  enum class Kind : uint8_t {
    /// A name of letters, digits, `_`, `$` and `%`.
    Name,
    /// A name behind a dot, such as .reg or .x; the text has no dot.
    Dotted,
    Integer,
    Float,
    String,
    /// One character.
    Punctuation,
    End
  };
  Kind kind = Kind::End;
  int line = 0;
  std::string_view text;
  /// The value of an integer, or the bits of a floating-point number.
  uint64_t bits = 0;
  /// True for a number with the bits of an f32.
  bool isSingle = false;

  /// Returns true for a punctuation mark.
  bool is(char mark) const {
    return kind == Kind::Punctuation && text[0] == mark;
  }
  /// Returns true for a name behind a dot.
  bool isDotted(std::string_view name) const {
    return kind == Kind::Dotted && text == name;
  }
};

/// Splits PTX text into tokens, without comments. The text must outlive them.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}

  /// Returns the next token, or an `End`. Throws an `Error` for text that is no
  /// token.
  Token next();

private:
  void skipBlanks();
  Token takeNumber();
  Token takeHexFloat(size_t digits);
  Token takeString();
  Token take(Token::Kind kind, size_t length);
  size_t nameLength(size_t from) const;

  std::string_view text;
  size_t at = 0;
  int line = 1;
};

} // namespace tg::ptx

#endif
