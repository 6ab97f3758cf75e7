/// The scalar types of PTX and the host types that compute on them.
#ifndef TG_TEST_SIMULATOR_PTX_TYPES_H
#define TG_TEST_SIMULATOR_PTX_TYPES_H

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tg::ptx {

/// A fundamental type of PTX, as the last modifiers of an instruction name it.
enum class Type : uint8_t {
  None,
  B8,
  B16,
  B32,
  B64,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F32,
  F64,
  Pred
};

/// The rules of operand types distinguish these classes.
enum class TypeClass : uint8_t { None, Untyped, Integer, Float, Predicate };

/// The properties of a type.
struct TypeInfo {
  std::string_view name;
  /// The size in bytes; 0 for predicates, which have no size in memory.
  unsigned bytes;
  TypeClass kind;
};

/// The properties of all types, in the order of `Type`.
inline constexpr TypeInfo typeInfos[] = {
    {"", 0, TypeClass::None},       {"b8", 1, TypeClass::Untyped},
    {"b16", 2, TypeClass::Untyped}, {"b32", 4, TypeClass::Untyped},
    {"b64", 8, TypeClass::Untyped}, {"u8", 1, TypeClass::Integer},
    {"u16", 2, TypeClass::Integer}, {"u32", 4, TypeClass::Integer},
    {"u64", 8, TypeClass::Integer}, {"s8", 1, TypeClass::Integer},
    {"s16", 2, TypeClass::Integer}, {"s32", 4, TypeClass::Integer},
    {"s64", 8, TypeClass::Integer}, {"f32", 4, TypeClass::Float},
    {"f64", 8, TypeClass::Float},   {"pred", 0, TypeClass::Predicate},
};

/// Returns the properties of a type.
constexpr const TypeInfo &infoOf(Type type) {
  return typeInfos[static_cast<unsigned>(type)];
}

/// Returns the type that a name without its dot denotes, or `Type::None`.
constexpr Type typeOf(std::string_view name) {
  for (unsigned i = 1; i < std::size(typeInfos); ++i)
    if (typeInfos[i].name == name)
      return static_cast<Type>(i);
  return Type::None;
}

/// Returns the unsigned type of a number of bytes.
constexpr Type unsignedOf(unsigned bytes) {
  return bytes == 8 ? Type::U64 : bytes == 4 ? Type::U32 : Type::U16;
}

/// The host type that holds a value of a type of PTX.
template <Type T> struct NativeType;
template <> struct NativeType<Type::B8> : std::type_identity<uint8_t> {};
template <> struct NativeType<Type::B16> : std::type_identity<uint16_t> {};
template <> struct NativeType<Type::B32> : std::type_identity<uint32_t> {};
template <> struct NativeType<Type::B64> : std::type_identity<uint64_t> {};
template <> struct NativeType<Type::U8> : std::type_identity<uint8_t> {};
template <> struct NativeType<Type::U16> : std::type_identity<uint16_t> {};
template <> struct NativeType<Type::U32> : std::type_identity<uint32_t> {};
template <> struct NativeType<Type::U64> : std::type_identity<uint64_t> {};
template <> struct NativeType<Type::S8> : std::type_identity<int8_t> {};
template <> struct NativeType<Type::S16> : std::type_identity<int16_t> {};
template <> struct NativeType<Type::S32> : std::type_identity<int32_t> {};
template <> struct NativeType<Type::S64> : std::type_identity<int64_t> {};
template <> struct NativeType<Type::F32> : std::type_identity<float> {};
template <> struct NativeType<Type::F64> : std::type_identity<double> {};
template <> struct NativeType<Type::Pred> : std::type_identity<bool> {};
template <Type T> using Native = typename NativeType<T>::type;

/// A list of types in the table of instructions.
template <Type... T> struct Types {};

/// Every pair of a result type of the first and an operand type of the second
/// list.
template <class Results, class Sources> struct Pairs {};

/// The types of an instruction without type modifiers.
struct Untyped {};

using UnsignedTypes = Types<Type::U16, Type::U32, Type::U64>;
using IntegerTypes =
    Types<Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64>;
using BitTypes = Types<Type::B16, Type::B32, Type::B64>;
using WordTypes = Types<Type::B32, Type::B64>;
using FloatTypes = Types<Type::F32, Type::F64>;
/// The types of values in memory.
using MemoryTypes = Types<Type::B8, Type::B16, Type::B32, Type::B64, Type::U8,
                          Type::U16, Type::U32, Type::U64, Type::S8, Type::S16,
                          Type::S32, Type::S64, Type::F32, Type::F64>;
/// The types of values in registers.
using ValueTypes =
    Types<Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64,
          Type::S16, Type::S32, Type::S64, Type::F32, Type::F64>;
/// The integer types that conversions accept.
using ConvertedIntegers = Types<Type::U8, Type::U16, Type::U32, Type::U64,
                                Type::S8, Type::S16, Type::S32, Type::S64>;

} // namespace tg::ptx

#endif
