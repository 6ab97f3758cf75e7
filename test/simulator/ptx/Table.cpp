#include "Table.h"
#include "semantics/AsyncCopy.h"
#include "semantics/Bits.h"
#include "semantics/Comparison.h"
#include "semantics/Control.h"
#include "semantics/Conversion.h"
#include "semantics/Matrices.h"
#include "semantics/MemoryAccess.h"
#include "semantics/WarpInstructions.h"

#include <algorithm>

using namespace tg::ptx;

namespace {

// The types of the rows.
using SingleType = Types<Type::F32>;
using DoubleType = Types<Type::F64>;
using HalfType = Types<Type::B16>;
using WordType = Types<Type::B32>;
using PredicateType = Types<Type::Pred>;
using AddressType = Types<Type::U64>;
using CountedTypes = Types<Type::U32>;
using AddedTypes = Types<Type::U32, Type::S32, Type::U64>;
using NarrowTypes = Types<Type::U16, Type::S16, Type::U32, Type::S32>;
using SignedTypes = Types<Type::S16, Type::S32, Type::S64>;
using Carry32Types = Types<Type::U32, Type::S32>;
using Carry64Types = Types<Type::U64, Type::S64>;
using FieldTypes = Types<Type::U32, Type::S32, Type::U64, Type::S64>;
using LogicTypes = Types<Type::B16, Type::B32, Type::B64, Type::Pred>;
using ShiftedTypes =
    Types<Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64,
          Type::S16, Type::S32, Type::S64>;
using OrderedTypes = Types<Type::U16, Type::U32, Type::U64, Type::S16,
                           Type::S32, Type::S64, Type::F32, Type::F64>;
using MovedTypes =
    Types<Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64,
          Type::S16, Type::S32, Type::S64, Type::F32, Type::F64, Type::Pred>;
using SlctTypes = Pairs<ValueTypes, Types<Type::S32, Type::F32>>;
using IntegerPairs = Pairs<ConvertedIntegers, ConvertedIntegers>;
using FloatToInteger = Pairs<ConvertedIntegers, FloatTypes>;
using IntegerToFloat = Pairs<FloatTypes, ConvertedIntegers>;
using SinglePair = Pairs<SingleType, SingleType>;
using DoublePair = Pairs<DoubleType, DoubleType>;
using DoubleToSingle = Pairs<SingleType, DoubleType>;
using SingleToDouble = Pairs<DoubleType, SingleType>;

/// Executes an instruction that lanes execute together, or lets them wait.
void meetLanes(Warp &warp, const Step &step, uint32_t mask) {
  warp.meet(step, mask);
}

/// Returns the function that executes semantics for types.
template <class Semantics, Type... T> constexpr Execute executeOf() {
  if constexpr (requires { &Semantics::meet; })
    return &meetLanes;
  else if constexpr (requires { &Semantics::executeLanes; })
    return &Semantics::executeLanes;
  else if constexpr (requires { &Semantics::template executeLanes<T...>; })
    return &Semantics::template executeLanes<T...>;
  else
    return &forLanes<&Semantics::template execute<T...>>;
}

/// Returns the variant of semantics for types.
template <class Semantics, Type... T> constexpr Variant makeVariant() {
  Variant variant;
  if constexpr (sizeof...(T) > 0)
    variant.type = std::array{T...}[0];
  if constexpr (sizeof...(T) > 1)
    variant.source = std::array{T...}[1];
  variant.execute = executeOf<Semantics, T...>();
  if constexpr (requires { &Semantics::meet; })
    variant.meet = &Semantics::meet;
  if constexpr (requires { Semantics::multiplyAdds; })
    variant.multiplyAdds = Semantics::multiplyAdds;
  variant.isAligned = requires { Semantics::isAligned; };
  return variant;
}

/// The variants of semantics for the types of a row.
template <class Semantics, class TypeList> struct VariantList;

template <class Semantics> struct VariantList<Semantics, Untyped> {
  static constexpr Variant variants[] = {makeVariant<Semantics>()};
};

template <class Semantics, Type... T>
struct VariantList<Semantics, Types<T...>> {
  static constexpr Variant variants[] = {makeVariant<Semantics, T>()...};
};

/// Returns the number of types of a list.
template <Type... T> constexpr size_t countOf(Types<T...>) {
  return sizeof...(T);
}

/// Returns the variants of one result type.
template <class Semantics, Type Result, Type... Source>
constexpr auto pairsOf(Types<Source...>) {
  return std::array<Variant, sizeof...(Source)>{
      makeVariant<Semantics, Result, Source>()...};
}

template <class Semantics, Type... Result, class Sources>
struct VariantList<Semantics, Pairs<Types<Result...>, Sources>> {
  static constexpr auto variants = [] {
    constexpr size_t columns = countOf(Sources());
    constexpr std::array<std::array<Variant, columns>, sizeof...(Result)>
        pairs = {pairsOf<Semantics, Result>(Sources())...};
    std::array<Variant, pairs.size() * columns> all;
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = pairs[i / columns][i % columns];
    return all;
  }();
};

/// Returns the row of semantics and types.
template <class Semantics, class TypeList>
constexpr Row makeRow(std::string_view mnemonic, std::string_view modifiers,
                      unsigned version, unsigned target) {
  return {mnemonic,
          modifiers,
          version,
          target,
          Semantics::operands,
          VariantList<Semantics, TypeList>::variants};
}

constexpr Row rows[] = {
#define INSTRUCTION(mnemonic, modifiers, types, version, target, ...)          \
  makeRow<__VA_ARGS__, types>(#mnemonic, modifiers, version, target),
#include "Instructions.def"
#undef INSTRUCTION
};

/// Returns true if a modifier is one of the alternatives a|b|c.
bool isOneOf(std::string_view modifier, std::string_view alternatives) {
  while (!alternatives.empty()) {
    size_t end = std::min(alternatives.find('|'), alternatives.size());
    if (alternatives.substr(0, end) == modifier)
      return true;
    alternatives.remove_prefix(std::min(end + 1, alternatives.size()));
  }
  return false;
}

/// Returns true if modifiers follow a pattern of the table.
bool follows(std::span<const std::string> modifiers, std::string_view pattern) {
  while (!pattern.empty()) {
    size_t end = std::min(pattern.find(' '), pattern.size());
    std::string_view element = pattern.substr(0, end);
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
    bool isOptional = element.ends_with('?');
    element.remove_suffix(isOptional);
    if (!modifiers.empty() && isOneOf(modifiers[0], element))
      modifiers = modifiers.subspan(1);
    else if (!isOptional)
      return false;
  }
  return modifiers.empty();
}

/// Returns the variant of a row with the types at the end of modifiers.
const Variant *findVariant(const Row &row,
                           std::span<const std::string> modifiers) {
  for (const Variant &variant : row.variants) {
    size_t types =
        (variant.type != Type::None) + (variant.source != Type::None);
    if (modifiers.size() < types)
      continue;
    auto given = modifiers.last(types);
    bool matches = (types < 1 || given[0] == infoOf(variant.type).name) &&
                   (types < 2 || given[1] == infoOf(variant.source).name);
    if (matches &&
        follows(modifiers.first(modifiers.size() - types), row.modifiers))
      return &variant;
  }
  return nullptr;
}

/// Returns the space that a modifier names, or the given one.
Space spaceOf(std::string_view modifier, Space otherwise) {
  constexpr std::string_view names[] = {"",       "global", "const",
                                        "shared", "local",  "param"};
  const auto *found = std::ranges::find(names, modifier);
  return found == std::end(names) ? otherwise
                                  : static_cast<Space>(found - names);
}

/// Returns the number of elements that a modifier asks for, or the given one.
unsigned countOf(std::string_view modifier, unsigned otherwise) {
  if (modifier == "v2" || modifier == "x2")
    return 2;
  return modifier == "v4" || modifier == "x4" ? 4 : otherwise;
}

} // namespace

std::span<const Row> tg::ptx::instructionTable() { return rows; }

std::optional<Match> tg::ptx::findInstruction(const Instruction &instruction) {
  for (const Row &row : rows) {
    if (row.mnemonic != instruction.mnemonic)
      continue;
    const Variant *variant = findVariant(row, instruction.modifiers);
    if (!variant)
      continue;
    Match match{&row, variant};
    for (const std::string &modifier : instruction.modifiers) {
      match.space = spaceOf(modifier, match.space);
      match.count = countOf(modifier, match.count);
    }
    return match;
  }
  return std::nullopt;
}
