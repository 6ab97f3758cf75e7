//===- Messages.cpp - messages of the compiler in terms of programs -------===//
#include "compiler/frontend/body/BodyImpl.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

std::string dsl::nameModelOptions(llvm::StringRef message) {
  constexpr llvm::StringLiteral start = "option '";
  std::string named;
  while (!message.empty()) {
    auto [before, behind] = message.split(start);
    named += before;
    if (before.size() == message.size())
      break;
    auto [name, rest] = behind.split('\'');
    std::string own = name == "dim" ? "dims" : name.str();
    for (size_t at = own.find('-'); at != std::string::npos;
         at = own.find('-', at)) {
      own.erase(at, 1);
      if (at < own.size())
        own[at] = llvm::toUpper(own[at]);
    }
    named += (start + own + "'").str();
    message = rest;
  }
  return named;
}

/// Converts the type between the brackets of tensor<...> to the form of
/// programs: 4x?xf32 becomes f32 [4, ?]. Returns nothing if the text is not
/// such a type.
static std::optional<std::string> nameType(StringRef type) {
  SmallVector<StringRef> extents;
  for (;;) {
    auto [extent, rest] = type.split('x');
    int64_t number;
    if (extent != "?" && extent.getAsInteger(10, number))
      break;
    extents.push_back(extent);
    type = rest;
  }
  if (type.empty() || !llvm::all_of(type, llvm::isAlnum))
    return std::nullopt;
#define TG_NAMED(name, front, ...)                                             \
  if (type == #name)                                                           \
    type = #front;
  TG_DTYPES(TG_NAMED)
#undef TG_NAMED
  return (type + " [" + llvm::join(extents, ", ") + "]").str();
}

std::string dsl::nameTypes(llvm::StringRef message) {
  constexpr llvm::StringLiteral start = "tensor<";
  std::string named;
  for (size_t at; (at = message.find(start)) != StringRef::npos;) {
    size_t end = message.find('>', at);
    std::optional<std::string> type =
        end == StringRef::npos
            ? std::nullopt
            : nameType(message.slice(at + start.size(), end));
    if (!type) {
      named += message.take_front(at + start.size());
      message = message.drop_front(at + start.size());
      continue;
    }
    StringRef before = message.take_front(at);
    StringRef behind = message.drop_front(end + 1);
    if (before.ends_with("'") && behind.consume_front("'"))
      before = before.drop_back();
    named += (before + *type).str();
    message = behind;
  }
  return named + message.str();
}
