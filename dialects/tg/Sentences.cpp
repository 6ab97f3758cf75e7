//===- Sentences.cpp - MLIR's verifier messages, rephrased ----------------===//
#include "dialects/tg/Sentences.h"
#include "dialects/tg/Suggestions.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace tg;

namespace {
/// A row of the table that is generated from OperandNames.td.
struct OperandNames {
  const char *Name, *Operands;
};
} // namespace

#define GET_OperandTable_IMPL
#include "dialects/tg/OperandNames.inc"

/// The length of the longest message that is rewritten. Longer messages, which
/// contain an unreadable type, stay unchanged.
static constexpr size_t kLongestMessage = 1000;
static constexpr size_t kLongestAttribute = 100;

//===----------------------------------------------------------------------===//
// Names of operands
//===----------------------------------------------------------------------===//

/// Returns the names of an op's operands; a variadic operand has a `*` in
/// front.
static SmallVector<StringRef> operandNames(Operation *op) {
  SmallVector<StringRef> names;
  StringRef name = op->getName().getStringRef();
  for (const OperandNames &row : OperandTable)
    if (name == row.Name && *row.Operands)
      StringRef(row.Operands).split(names, ' ');
  return names;
}

/// Returns the number of values of each named operand.
static SmallVector<unsigned> operandSizes(Operation *op,
                                          ArrayRef<StringRef> names) {
  if (auto segments = dyn_cast_if_present<DenseI32ArrayAttr>(
          op->getInherentAttr("operandSegmentSizes").value_or(Attribute())))
    if (segments.size() == int64_t(names.size()))
      return SmallVector<unsigned>(segments.asArrayRef());
  unsigned singleCount = names.size() - 1;
  unsigned variadicSize =
      op->getNumOperands() - std::min(singleCount, op->getNumOperands());
  return llvm::map_to_vector(names, [&](StringRef name) {
    return name.starts_with("*") ? variadicSize : 1u;
  });
}

std::string tg::describeOperand(Operation *op, unsigned index) {
  SmallVector<StringRef> names = operandNames(op);
  unsigned first = 0;
  if (!names.empty())
    for (auto [name, size] : llvm::zip_equal(names, operandSizes(op, names))) {
      bool isList = name.consume_front("*");
      if (index < first + size)
        return (isList ? "value " + Twine(index - first + 1) + " of operand '"
                       : Twine("operand '"))
                   .str() +
               name.str() + "'";
      first += size;
    }
  return "operand " + std::to_string(index + 1);
}

//===----------------------------------------------------------------------===//
// Sentences
//===----------------------------------------------------------------------===//

bool tg::hasRule(StringRef message) {
  if (!message.consume_back("]"))
    return false;
  StringRef label = message.take_back(3);
  label = label.drop_front(std::min(label.size(), label.rfind('[') + 1));
  return label.size() >= 2 && llvm::isUpper(label[0]) &&
         llvm::all_of(label.drop_front(), llvm::isDigit);
}

std::string tg::describeKind(StringRef constraint) {
  constraint.consume_front("variadic of ");
  static constexpr std::pair<StringLiteral, StringLiteral> words[] = {
      {"0D tensor of 64-bit signless integer values", "tensor<i64>"},
      {"0D tensor of 1-bit signless integer values", "tensor<i1>"},
      {"0D tensor of floats", "a scalar of floats"},
      {"64-bit signless integer attribute", "an integer"},
      {"unit attribute", "a flag without value"},
      {"flat symbol reference attribute", "a name like @w"},
      {"string attribute", "a string"},
      {"array attribute", "a list"},
      {"any type attribute", "a type"}};
  for (const auto &[theirs, ours] : words) {
    // "... whose value is positive" may follow.
    StringRef rest = constraint;
    if (rest.consume_front(theirs) && (rest.empty() || rest.starts_with(" ")))
      return (ours + rest).str();
  }
  return "a " + constraint.str();
}

/// Returns the names of an op's operands, to follow their number: " (lhs,
/// rhs)".
static std::string listOperands(Operation *op) {
  SmallVector<StringRef> names = operandNames(op);
  for (StringRef &name : names)
    name.consume_front("*");
  return names.empty() ? "" : " (" + llvm::join(names, ", ") + ")";
}

/// Returns the value of an attribute of an op: ", found 3 : i32", or "" if it
/// is long.
static std::string describeFound(Operation *op, StringRef name) {
  std::string text;
  if (std::optional<Attribute> found = op->getInherentAttr(name);
      found && *found)
    llvm::raw_string_ostream(text) << ", found " << *found;
  return text.size() <= kLongestAttribute ? text : "";
}

/// Returns the attribute of an op that may be a misspelling of `name`, as
/// "'straem'" for stream, or "none".
static std::string describeMisspelt(Operation *op, StringRef name) {
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (StringRef found = attribute.getName();
        !found.contains('.') && !nearestName(found, name).empty())
      return "'" + found.str() + "'";
  return "none";
}

/// Rewrites a sentence of MLIR about an op, without the op's name. Returns ""
/// for an unknown sentence.
static std::string rephrase(Operation *op, StringRef sentence) {
  SmallVector<StringRef> parts;
  auto matches = [&](const char *pattern) {
    return llvm::Regex(pattern).match(sentence, &parts);
  };
  unsigned index = 0;
  if (matches("^(operand|result) #([0-9]+) must be (.*), but got (.*)$") &&
      !parts[2].getAsInteger(10, index))
    return "expected " +
           (parts[1] == "result" ? "result " + std::to_string(index + 1)
                                 : describeOperand(op, index)) +
           " to be " + describeKind(parts[3]) + ", found " + parts[4].str();
  if (matches("^requires attribute '(.*)'$"))
    return "expected an attribute '" + parts[1].str() + "', found " +
           describeMisspelt(op, parts[1]);
  if (matches("^attribute '(.*)' failed to satisfy constraint: (.*)$"))
    return "expected attribute '" + parts[1].str() + "' to be " +
           describeKind(parts[2]) + describeFound(op, parts[1]);
  if (matches(
          "^expected ([0-9]+|[0-9]+ or more) operands?, but found ([0-9]+)$"))
    return "expected " + parts[1].str() + " operands" + listOperands(op) +
           ", found " + parts[2].str();
  if (matches(
          "^has ([0-9]+) operands, but enclosing function \\((.*)\\) returns "
          "([0-9]+)$"))
    return "expected to return " + parts[3].str() +
           (parts[3] == "1" ? " value" : " values") + ", as function " +
           parts[2].str() + " does, found " + parts[1].str();
  if (matches(
          "^type of return operand ([0-9]+) \\((.*)\\) doesn't match function "
          "result type \\((.*)\\) in function (.*)$") &&
      !parts[1].getAsInteger(10, index))
    return "expected value " + std::to_string(index + 1) + " that function " +
           parts[4].str() + " returns to be " + parts[3].str() + ", found " +
           parts[2].str();
  // MLIR reports this for an inner op while it verifies the op around it, whose
  // region uses no values from outside.
  if (matches("^('.*' op )?using value defined outside the region$"))
    return parts[1].str() + "expected operands that are defined in '" +
           op->getName().getStringRef().str() +
           "', found a value from outside of it";
  return "";
}

std::string tg::rephraseOpError(Operation *op, StringRef message) {
  StringRef dialect = op->getName().getDialectNamespace();
  bool isOurs = dialect == "tg" || dialect == "func";
  if (!isOurs || hasRule(message) || message.size() > kLongestMessage)
    return message.str();
  std::string subject = ("'" + op->getName().getStringRef() + "' op ").str();
  StringRef sentence = message;
  if (!sentence.consume_front(subject))
    subject.clear();
  std::string rephrased = rephrase(op, sentence);
  if (rephrased.empty())
    rephrased = sentence.str();
  return subject + rephrased + (dialect == "func" ? " [M3]" : " [G6]");
}

void tg::emitInstead(Diagnostic &diagnostic, Location loc,
                     const std::string &sentence) {
  InFlightDiagnostic error = emitError(loc) << sentence;
  for (Diagnostic &note : diagnostic.getNotes())
    error.attachNote(note.getLocation()) << note.str();
}
