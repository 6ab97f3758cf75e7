//===- SyntaxMessages.cpp - clearer messages of MLIR's parser -------------===//
//
// Inspects the text at the position that the parser reports. In a text that is
// too long to inspect, which only a generator writes, the parser's own message
// is kept and gets the rule label.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/SyntaxMessages.h"

#include "compiler/frontend/text/ForeignNames.h"
#include "compiler/frontend/text/Tokens.h"
#include "dialects/tg/Sentences.h"
#include "dialects/tg/Suggestions.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace tg;

/// Limits of the text that is inspected for a message, in bytes, and of the
/// messages that are rewritten. The number of printed errors is limited as
/// well.
static constexpr size_t kLongestText = size_t(4) << 20;
static constexpr unsigned kMaxErrors = 20;
/// The number of characters of a token that a message shows, and the number of
/// names that are compared.
static constexpr size_t kShownToken = 40;
static constexpr size_t kMaxNames = 1000;

static StringRef toRef(std::string_view view) {
  return {view.data(), view.size()};
}

SyntaxMessages::SyntaxMessages(MLIRContext *context, StringRef text)
    : ScopedDiagnosticHandler(context), context(context), text(text) {
  setHandler([this](Diagnostic &diagnostic) { return take(diagnostic); });
}

size_t SyntaxMessages::offsetOf(FileLineColLoc place) const {
  size_t offset = 0;
  for (unsigned line = 1; line < place.getLine(); ++line) {
    offset = text.find('\n', offset);
    if (offset == StringRef::npos)
      return text.size();
    ++offset;
  }
  unsigned column = std::max(place.getColumn(), 1u) - 1;
  return std::min(offset + column, text.size());
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Returns the op that is nearest to a name, as texts write it: `return` for an
/// op of func, others with their dialect; "" if none is near.
static std::string nearestOp(MLIRContext *context, StringRef name) {
  // A text without a valid tg op has not loaded the dialect.
  context->getOrLoadDialect("tg");
  // The prefix would add to the similarity of every op.
  name.consume_front("tg.");
  bool hasDialect = name.contains('.');
  llvm::StringMap<StringRef> written;
  SmallVector<StringRef> known;
  for (RegisteredOperationName op : context->getRegisteredOperations()) {
    StringRef full = op.getStringRef();
    StringRef mnemonic = op.stripDialect();
    bool isShort = op.getDialectNamespace() == "func" && mnemonic != "func";
    known.push_back(hasDialect ? full : mnemonic);
    written.try_emplace(known.back(), isShort ? mnemonic : full);
  }
  return written.lookup(nearestName(name, known)).str();
}

std::string tg::describeUnknownOp(MLIRContext *context, StringRef name) {
  std::string sentence =
      ("expected an operation, found '" + name.take_front(kShownToken) + "'")
          .str();
  StringRef mnemonic = name.starts_with("tg.") ? name.drop_front(3) : name;
  if (StringRef hint = hintForForeign(mnemonic); !hint.empty())
    return sentence + "; " + hint.str() + " [M9]";
  if (std::string nearest = nearestOp(context, name); !nearest.empty())
    sentence += "; did you mean '" + nearest + "'?";
  return sentence + " [M9]";
}

/// Returns the values, at most 1,000, that the last function of a text defines:
/// names before a `=`, and arguments in parentheses.
static llvm::SetVector<StringRef> findDefined(StringRef text) {
  llvm::SetVector<StringRef> defined;
  unsigned parentheses = 0;
  Token last;
  Tokenizer tokens(std::string_view(text.data(), text.size()));
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       last = token, token = tokens.next()) {
    // The values of other functions are not visible.
    if (token.kind == TokenKind::Word && token.text == "func.func") {
      defined.clear();
      parentheses = 0;
    }
    if (token.is('('))
      ++parentheses;
    if (token.is(')') && parentheses > 0)
      --parentheses;
    bool defines = token.is('=') || (token.is(':') && parentheses > 0);
    if (defines && last.kind == TokenKind::Value && defined.size() < kMaxNames)
      defined.insert(toRef(last.text));
  }
  return defined;
}

std::string SyntaxMessages::rephraseUndeclared(StringRef name,
                                               size_t offset) const {
  // A name that the line itself defines is not defined above it.
  size_t line = text.take_front(offset).rfind('\n');
  llvm::SetVector<StringRef> defined =
      findDefined(text.take_front(line == StringRef::npos ? 0 : line));
  return ("expected a value that is defined above, found '" +
          name.take_front(kShownToken) + "'")
             .str() +
         suggestName(name, defined.getArrayRef());
}

//===----------------------------------------------------------------------===//
// Braces
//===----------------------------------------------------------------------===//

Braces::Braces(StringRef text) {
  StringRef function, last;
  unsigned parentheses = 0;
  bool isAfterFunction = false;
  Tokenizer tokens(std::string_view(text.data(), text.size()));
  for (Token token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    size_t offset = token.text.data() - text.data();
    if (isAfterFunction && token.kind == TokenKind::Symbol)
      function = toRef(token.text);
    // Attributes of arguments have braces as well; they are in parentheses.
    if (token.is('('))
      ++parentheses;
    if (token.is(')') && parentheses > 0)
      --parentheses;
    if (token.is('{')) {
      bool isBody = parentheses == 0 && last != "attributes";
      open.push_back(
          {offset, isBody ? std::exchange(function, StringRef()) : ""});
    }
    if (token.is('}') && !open.empty())
      open.pop_back();
    last = toRef(token.text);
    isAfterFunction = token.kind == TokenKind::Word && last == "func.func";
    if (!isAfterFunction || nested)
      continue;
    auto outer = llvm::find_if(
        open, [](const Brace &brace) { return !brace.function.empty(); });
    if (outer != open.end())
      nested.emplace(offset, *outer);
  }
}

FileLineColLoc SyntaxMessages::placeOf(size_t offset,
                                       FileLineColLoc like) const {
  StringRef before = text.take_front(offset);
  size_t start = before.rfind('\n') + 1; // 0 on the first line
  return FileLineColLoc::get(context, like.getFilename(),
                             before.count('\n') + 1, offset - start + 1);
}

std::optional<std::pair<Location, std::string>>
SyntaxMessages::findMissingBrace(FileLineColLoc place) {
  size_t offset = offsetOf(place);
  if (!braces)
    braces.emplace(text);
  auto lineOf = [&](const Braces::Brace &brace) {
    return std::to_string(placeOf(brace.offset, place).getLine());
  };
  if (braces->nested && braces->nested->first <= offset) {
    const auto &[next, outer] = *braces->nested;
    return std::pair<Location, std::string>(
        placeOf(next, place), "expected '}' of function " +
                                  outer.function.take_front(kShownToken).str() +
                                  ", which opens in line " + lineOf(outer) +
                                  ", before the next function, found none");
  }
  if (braces->open.empty() || offset < text.rtrim().size())
    return std::nullopt;
  return std::pair<Location, std::string>(
      place, "expected '}' of the '{' in line " + lineOf(braces->open.back()) +
                 ", found the end of the text");
}

std::optional<std::string>
SyntaxMessages::describeWord(FileLineColLoc place) const {
  if (text.size() > kLongestText)
    return std::nullopt;
  size_t offset = offsetOf(place);
  StringRef word = text.drop_front(offset).take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  // For a type or attribute the parser reports the position after the dialect.
  if (word.empty() || word.contains('.') ||
      text.take_front(offset).ends_with("."))
    return std::nullopt;
  Braces above(text.take_front(offset));
  bool isAfterRegion = word == "return" || word == "do" || word == "else";
  if (!isAfterRegion || above.open.empty())
    return describeUnknownOp(context, word);
  std::string line =
      std::to_string(placeOf(above.open.back().offset, place).getLine());
  if (!Braces(text).open.empty())
    return "expected '}' of the '{' in line " + line + " before '" +
           word.str() + "', found none [M0]";
  return "expected 'tg.yield' at the end of the region that begins in line " +
         line + ", found '" + word.str() + "' [M3]";
}

//===----------------------------------------------------------------------===//
// Sentences
//===----------------------------------------------------------------------===//

/// Returns a token for a message: "'->'", "the end of the text".
static std::string describeToken(StringRef text, size_t offset) {
  Tokenizer tokens(
      std::string_view(text.data() + offset, text.size() - offset));
  Token token = tokens.next();
  if (token.kind == TokenKind::End)
    return "the end of the text";
  return "'" + toRef(token.text).take_front(kShownToken).str() + "'";
}

/// Returns the value of an attribute after a position in the text, ", found
/// \"1\"", or "" if the attribute is not there.
static std::string findAttribute(StringRef text, size_t offset,
                                 StringRef name) {
  Tokenizer tokens(
      std::string_view(text.data() + offset, text.size() - offset));
  Token last, token = tokens.next();
  unsigned depth = 0;
  for (; token.kind != TokenKind::End; last = token, token = tokens.next()) {
    if (token.kind == TokenKind::Open)
      ++depth;
    if (token.kind == TokenKind::Close && (depth == 0 || --depth == 0))
      return "";
    if (depth == 1 && token.is('=') && toRef(last.text) == name)
      break;
  }
  size_t begin = offset + tokens.offset();
  for (token = tokens.next(); token.kind != TokenKind::End;
       token = tokens.next()) {
    if (token.kind == TokenKind::Open)
      ++depth;
    bool isEnd = token.kind == TokenKind::Close && --depth == 0;
    if (isEnd || (depth == 1 && token.is(','))) {
      StringRef value = text.slice(begin, token.text.data() - text.data());
      return ", found " + value.trim().take_front(kShownToken).str();
    }
  }
  return "";
}

std::string SyntaxMessages::rephraseCustom(StringRef op, StringRef sentence,
                                           size_t offset) const {
  std::string subject = ("'" + op + "' op ").str();
  sentence.consume_front(subject);
  SmallVector<StringRef> parts;
  auto matches = [&](const char *pattern) {
    return llvm::Regex(pattern).match(sentence, &parts);
  };
  if (matches("^attribute '([^']*)' failed to satisfy constraint: (.*)$"))
    return subject + "expected attribute '" + parts[1].str() + "' to be " +
           describeKind(parts[2]) + findAttribute(text, offset, parts[1]) +
           " [G6]";
  if (matches("^expected ::[A-Za-z_:]* to be one of: (.*), found (.*)$") ||
      matches("^expected ::[A-Za-z_:]* to be one of: (.*)$"))
    return subject + "expected a word to be one of: " + parts[1].str() +
           ", found " + describeToken(text, offset) + " [M0]";
  if (matches("^invalid kind of type specified: expected builtin.function, but "
              "found (.*)$"))
    return subject +
           "expected types like (tensor<f32>) -> tensor<f32>, found " +
           parts[1].str() + " [M0]";
  if (matches("^'([^']*)' must be (.*), but got (.*)$"))
    return subject + "expected " + parts[1].str() + " to be " +
           describeKind(parts[2]) + ", found " + parts[3].str() + " [G6]";
  if (sentence.starts_with("expected valid '@'-identifier"))
    return subject + "expected a name with @ before it, as @name, found " +
           describeToken(text, offset) + " [M0]";
  if (sentence.starts_with("expected ") && !sentence.contains("found "))
    return subject + sentence.str() + ", found " + describeToken(text, offset) +
           " [M0]";
  return subject + sentence.str() + " [M0]";
}

std::string SyntaxMessages::rephrase(StringRef sentence,
                                     FileLineColLoc place) const {
  SmallVector<StringRef> parts;
  auto matches = [&](const char *pattern) {
    return llvm::Regex(pattern).match(sentence, &parts);
  };
  if (matches("^custom op '([^']*)' is unknown"))
    return describeUnknownOp(context, parts[1]);
  if (text.size() > kLongestText)
    return "";
  size_t offset = offsetOf(place);
  if (matches("^custom op '([^']*)' (.*)$"))
    return rephraseCustom(parts[1], parts[2], offset);
  std::string found = describeToken(text, offset);
  if (sentence == "use of undeclared SSA value name")
    return rephraseUndeclared(StringRef(found).drop_front().drop_back(),
                              offset) +
           " [M0]";
  if (matches("^redefinition of SSA value '([^']*)'"))
    return "expected a new name of a value, found '" + parts[1].str() +
           "' again [M0]";
  if (matches("^operation defines ([0-9]+) results but was provided ([0-9]+) "
              "to bind$"))
    return "expected names for " + parts[1].str() +
           (parts[1] == "1" ? " result, found " : " results, found ") +
           parts[2].str() + " [M0]";
  if (matches("^inferred shape of elements literal \\((.*)\\) does not match "
              "type \\((.*)\\)$"))
    return "expected elements of shape " + parts[2].str() +
           ", that of the type, found lists of shape " + parts[1].str() +
           " [M0]";
  if (sentence == "invalid attribute name")
    return "expected the name of an attribute after #, found " + found +
           "; comments begin with // [M0]";
  if (sentence == "invalid SSA name")
    return "expected letters, digits or _ after %, found " + found + " [M0]";
  if (sentence == "expected '=' after SSA name")
    return "expected '=' after the names of results, found " + found + " [M0]";
  if (sentence == "expected ':' and type for SSA operand")
    return "expected ':' and the type of the value, found " + found + " [M0]";
  if (sentence == "invalid SSA value result number")
    return "expected the number of a result after #, found " + found + " [M0]";
  if (sentence == "@ identifier expected to start with letter or '_'")
    return "expected a letter or _ after @, found " + found + " [M0]";
  if (sentence == "expected SSA operand")
    return "expected a value like %x, found " + found + " [M0]";
  if (sentence == "expected operation name in quotes")
    return "expected an operation, found " + found + " [M0]";
  if (sentence.starts_with("expected ") && !sentence.contains("found "))
    return sentence.str() + ", found " + found + " [M0]";
  return "";
}

bool SyntaxMessages::takeClash(Diagnostic &diagnostic, StringRef sentence) {
  SmallVector<StringRef> parts;
  llvm::Regex pattern("^use of value '([^']*)' expects different type than "
                      "prior uses: '(.*)' vs '(.*)'$");
  auto notes = diagnostic.getNotes();
  auto use = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  if (clash || !use || notes.begin() == notes.end() ||
      !pattern.match(sentence, &parts))
    return false;
  auto first = dyn_cast<FileLineColLoc>((*notes.begin()).getLocation());
  if (!first)
    return false;
  clash = {use, first, parts[1].str(), parts[2].str(), parts[3].str()};
  return true;
}

LogicalResult SyntaxMessages::take(Diagnostic &diagnostic) {
  std::string said = diagnostic.str();
  auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !place ||
      hasRule(said))
    return failure();
  // After it refuses an attribute, MLIR adds a message about a C++ type.
  if (errors > 0 && StringRef(said).contains("failed to parse ") &&
      StringRef(said).contains(" parameter "))
    return success();
  std::string sentence;
  if (++errors <= kMaxErrors && said.size() <= 1000) {
    if (takeClash(diagnostic, said))
      return success();
    if (text.size() <= kLongestText)
      if (auto missing = findMissingBrace(place)) {
        emitError(missing->first) << missing->second << " [M0]";
        return success();
      }
    sentence = rephrase(said, place);
  }
  if (sentence.empty()) {
    said[0] = llvm::toLower(said[0]);
    sentence = said + " [M0]";
  }
  emitInstead(diagnostic, place, sentence);
  return success();
}
