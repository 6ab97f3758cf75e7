#include "TableModule.h"

#include "test/simulator/ptx/Table.h"

#include <algorithm>
#include <sstream>

using namespace tg::ptx;

/// Splits a text at a mark.
static std::vector<std::string> split(std::string_view text, char mark) {
  std::vector<std::string> parts;
  std::istringstream stream{std::string(text)};
  for (std::string part; std::getline(stream, part, mark);)
    parts.push_back(part);
  return parts;
}

/// Returns the choice `n` of modifiers of a pattern, each with its dot: the
/// nth alternative of each element, or its last one.
static std::string chooseModifiers(std::string_view pattern, size_t n) {
  std::string chosen;
  for (std::string element : split(pattern, ' ')) {
    bool isOptional = element.ends_with('?');
    if (isOptional)
      element.pop_back();
    std::vector<std::string> names = split(element, '|');
    if (isOptional)
      names.insert(names.begin(), "");
    const std::string &name = names[std::min(n, names.size() - 1)];
    chosen += name.empty() ? "" : "." + name;
  }
  return chosen;
}

/// Returns a register that holds a number of bytes.
static std::string registerOf(Type type, unsigned factor = 1) {
  static constexpr const char *names[] = {"%h1", "%h1", "%h1", "",   "%r1",
                                          "",    "",    "",    "%d1"};
  if (type == Type::Pred)
    return "%q1";
  std::string name = names[infoOf(type).bytes * factor];
  if (infoOf(type).kind == TypeClass::Float)
    name[1] = type == Type::F32 ? 'f' : 'g';
  return name;
}

/// Returns the elements of a vector of a register.
static std::string vectorOf(const std::string &name, unsigned count,
                            bool isDistinct) {
  if (count == 1)
    return name;
  std::string elements = name;
  for (unsigned i = 2; i <= count; ++i)
    elements +=
        ", " + (isDistinct ? name.substr(0, 2) + std::to_string(i) : name);
  return "{" + elements + "}";
}

/// Returns the registers of a bank from 1 on, separated by commas.
static std::string repeat(const std::string &bank, unsigned count) {
  std::string registers = bank + "1";
  for (unsigned i = 2; i <= count; ++i)
    registers += ", " + bank + std::to_string(i);
  return registers;
}

/// Returns an operand of a letter of Forms.h.
static std::string operandOf(char letter, const Variant &variant,
                             unsigned count, bool isParameter) {
  switch (letter) {
  case 'W':
  case 'w':
    return registerOf(variant.type, 2);
  case 'S':
    return "%r1|%q1";
  case 'k':
  case 'R':
  case 'o':
  case 'u':
    return "%r1";
  case 'P':
  case 'p':
    return "%q1";
  case 'c':
  case 'C':
    return registerOf(variant.source);
  case 'V':
  case 'v':
    return vectorOf(registerOf(variant.type), count, letter == 'V');
  case 'A':
    return isParameter ? "[a]" : "[%d1]";
  case 'b':
    return "0";
  case 'L':
    return "L";
  case 'T':
    return "T";
  case 'F':
    return "f";
  case 'H':
    return "[%d2]";
  case 'z':
    return "16";
  case 'g':
    return "1";
  case 'X':
    return "{" + repeat("%r", count) + "}";
  case 'Q':
  case 'q':
    return "{" + repeat("%f", 4) + "}";
  case '1':
  case '2':
  case '4':
    return "{" + repeat("%r", letter - '0') + "}";
  default:
    return registerOf(variant.type);
  }
}

/// Returns the number of elements that modifiers ask for.
static unsigned countOf(const std::string &modifiers) {
  auto has = [&](const char *name) {
    return modifiers.find(name) != modifiers.npos;
  };
  return has(".v4") || has(".x4") ? 4 : has(".v2") || has(".x2") ? 2 : 1;
}

/// Appends a variant of a row with one choice of modifiers.
static void print(std::ostream &out, const Row &row, const Variant &variant,
                  const std::string &modifiers) {
  out << row.mnemonic << modifiers;
  for (Type type : {variant.type, variant.source})
    if (type != Type::None)
      out << "." << infoOf(type).name;
  unsigned count = countOf(modifiers);
  bool isParameter = modifiers.find(".param") != modifiers.npos;
  const char *separator = " ";
  for (char letter : row.operands) {
    out << separator << operandOf(letter, variant, count, isParameter);
    separator = ", ";
  }
  out << ";\n";
}

/// Returns true if ptxas accepts a choice: vectors have at most 16 bytes, and
/// only calls set parameters.
static bool isAllowed(const Row &row, const Variant &variant,
                      const std::string &modifiers) {
  bool isWide = modifiers.ends_with(".v4") && infoOf(variant.type).bytes == 8;
  bool isParameter = modifiers.find(".param") != modifiers.npos;
  return !isWide && !(isParameter && row.mnemonic == "st");
}

std::string tg::test::printTable() {
  std::ostringstream out;
  out << ".version 7.0\n.target sm_80\n.address_size 64\n"
         ".func f() { ret; }\n"
         ".visible .entry k(.param .align 16 .b8 a[64]) {\n"
         ".reg .pred %q<3>;\n.reg .b16 %h<5>;\n.reg .b32 %r<5>;\n"
         ".reg .b64 %d<5>;\n.reg .f32 %f<5>;\n.reg .f64 %g<5>;\n"
         "T: .branchtargets L;\n";
  // No element has more alternatives.
  constexpr size_t choices = 6;
  for (const Row &row : instructionTable())
    for (const Variant &variant : row.variants) {
      std::string last;
      for (size_t n = 0; n < choices; ++n) {
        std::string modifiers = chooseModifiers(row.modifiers, n);
        bool isNew = n == 0 || modifiers != last;
        if (isNew && isAllowed(row, variant, modifiers))
          print(out, row, variant, modifiers);
        last = modifiers;
      }
    }
  out << "L: ret;\n}\n";
  return out.str();
}
