//===- Messages.cpp - messages of the compiler in terms of programs -------===//
#include "compiler/frontend/body/BodyImpl.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

std::string dsl::nameModelOptions(llvm::StringRef message) {
  constexpr llvm::StringLiteral prefix = "option '";
  std::string named;
  while (!message.empty()) {
    auto [before, after] = message.split(prefix);
    named += before;
    if (before.size() == message.size())
      break;
    auto [name, rest] = after.split('\'');
    std::string field = name == "dim" ? "dims" : name.str();
    for (size_t dash = field.find('-'); dash != std::string::npos;
         dash = field.find('-', dash)) {
      field.erase(dash, 1);
      if (dash < field.size())
        field[dash] = llvm::toUpper(field[dash]);
    }
    named += (prefix + field + "'").str();
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
  constexpr llvm::StringLiteral prefix = "tensor<";
  std::string named;
  for (size_t begin; (begin = message.find(prefix)) != StringRef::npos;) {
    size_t end = message.find('>', begin);
    std::optional<std::string> type =
        end == StringRef::npos
            ? std::nullopt
            : nameType(message.slice(begin + prefix.size(), end));
    if (!type) {
      named += message.take_front(begin + prefix.size());
      message = message.drop_front(begin + prefix.size());
      continue;
    }
    StringRef before = message.take_front(begin);
    StringRef after = message.drop_front(end + 1);
    if (before.ends_with("'") && after.consume_front("'"))
      before = before.drop_back();
    named += (before + *type).str();
    message = after;
  }
  return named + message.str();
}
