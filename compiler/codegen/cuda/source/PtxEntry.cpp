//===- PtxEntry.cpp - the kernels of a PTX text of a user -----------------===//
#include "compiler/codegen/cuda/source/PtxEntry.h"
#include "compiler/codegen/kernel/EmittedKernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tg;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

namespace {
/// A reader of the words and signs of a PTX text. Skips spaces and comments.
class PtxReader {
public:
  explicit PtxReader(StringRef text) : text(text) {}

  /// Returns the next token, which is a part of the text: a word, a string or a
  /// sign. Returns an empty one at the end.
  StringRef next();

  /// Returns the offset after the last token.
  size_t offset() const { return at; }

private:
  void skipSpace();

  StringRef text;
  size_t at = 0;
};
} // namespace

/// Returns true if a character may be part of a name, a number or a directive.
static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

void PtxReader::skipSpace() {
  for (;;) {
    at = std::min(text.find_first_not_of(" \t\r\n\v\f", at), text.size());
    StringRef rest = text.drop_front(at);
    StringRef end = rest.starts_with("//")   ? "\n"
                    : rest.starts_with("/*") ? "*/"
                                             : "";
    if (end.empty())
      return;
    size_t found = text.find(end, at + 2);
    at = found == StringRef::npos ? text.size() : found + end.size();
  }
}

StringRef PtxReader::next() {
  skipSpace();
  size_t begin = at;
  if (begin == text.size())
    return {};
  ++at;
  if (text[begin] == '"')
    at = std::min(text.find('"', at), text.size() - 1) + 1;
  else if (isWordPart(text[begin]))
    while (at < text.size() && isWordPart(text[at]))
      ++at;
  return text.slice(begin, at);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Reads the parameters of a kernel after the parenthesis that opens their
/// list.
static void readParameters(PtxReader &reader, StringRef text, PtxEntry &entry) {
  entry.hasList = true;
  size_t begin = reader.offset();
  for (;;) {
    size_t before = reader.offset();
    StringRef token = reader.next();
    if (token != "," && token != ")" && !token.empty())
      continue;
    StringRef parameter = text.slice(begin, before).trim();
    if (!parameter.empty())
      entry.parameters.push_back(parameter);
    entry.parametersEnd = before;
    begin = reader.offset();
    if (token != ",")
      return;
  }
}

/// Reads up to three extents, separated by commas; the others are 1. Reads the
/// token after them, too.
static std::array<uint32_t, 3> readExtents(PtxReader &reader,
                                           StringRef &token) {
  std::array<uint32_t, 3> extents = {1, 1, 1};
  for (uint32_t &extent : extents) {
    if (reader.next().getAsInteger(10, extent))
      extent = 0;
    token = reader.next();
    if (token != ",")
      break;
  }
  return extents;
}

/// Reads a kernel after its directive. Returns false if the text only declares
/// it.
static bool readEntry(PtxReader &reader, StringRef text, PtxEntry &entry) {
  entry.name = reader.next();
  entry.parametersEnd = reader.offset();
  for (StringRef token = reader.next(); !token.empty(); token = reader.next()) {
    while (token == ".maxntid" || token == ".reqntid") {
      auto &threads =
          token == ".maxntid" ? entry.maximumThreads : entry.requiredThreads;
      threads = readExtents(reader, token);
    }
    if (token == "(" && !entry.hasList)
      readParameters(reader, text, entry);
    entry.body = reader.offset();
    if (token == "{" || token == ";")
      return token == "{";
  }
  return false;
}

llvm::SmallVector<PtxEntry> tg::findPtxEntries(StringRef ptx) {
  llvm::SmallVector<PtxEntry> entries;
  PtxReader reader(ptx);
  for (StringRef token = reader.next(); !token.empty(); token = reader.next())
    if (PtxEntry entry; token == ".entry" && readEntry(reader, ptx, entry))
      entries.push_back(std::move(entry));
  return entries;
}

std::string tg::describePtxHeader(StringRef ptx) {
  PtxReader reader(ptx);
  StringRef token = reader.next();
  for (StringRef directive : {".version", ".target", ".address_size"}) {
    if (token != directive)
      return token.empty() ? "the end" : ("'" + token + "'").str();
    StringRef value = reader.next();
    if (directive == ".address_size" && value != "64")
      return ("'" + directive + " " + value + "'").str();
    token = reader.next();
    while (token == ",") { // further words of a target
      reader.next();
      token = reader.next();
    }
  }
  return "";
}

bool tg::isWordParameter(StringRef parameter) {
  PtxReader reader(parameter);
  bool isWord = false;
  for (StringRef token = reader.next(); !token.empty(); token = reader.next()) {
    isWord |= llvm::is_contained({".u64", ".s64", ".b64"}, token);
    if (token == "[")
      return false;
  }
  return isWord;
}

//===----------------------------------------------------------------------===//
// The guard
//===----------------------------------------------------------------------===//

std::string tg::guardPtxEntry(StringRef ptx, const PtxEntry &entry) {
  std::string parameters =
      "\n\t.param .u64 tg$report,\n\t.param .u64 tg$launch\n";
  if (!entry.hasList)
    parameters = "(" + parameters + ")";
  else if (!entry.parameters.empty())
    parameters = "," + parameters;
  std::string guard = "\n\t.reg .pred \ttg$fails;"
                      "\n\t.reg .b64 \ttg$address, tg$number, tg$failing;"
                      "\n\tld.param.u64 \ttg$address, [tg$report];"
                      "\n\tld.param.u64 \ttg$number, [tg$launch];"
                      "\n\tld.u64 \ttg$failing, [tg$address+" +
                      std::to_string(kFailingLaunchBytes) +
                      "];"
                      "\n\tsetp.lt.s64 \ttg$fails, tg$failing, tg$number;"
                      "\n\t@tg$fails ret;";
  return (ptx.take_front(entry.parametersEnd) + parameters +
          ptx.slice(entry.parametersEnd, entry.body) + guard +
          ptx.drop_front(entry.body))
      .str();
}
