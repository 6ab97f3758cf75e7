/// The forms of instructions: how operands become arguments of a function on
/// values, and how its result is stored.
///
/// Each form states its operands, a letter for each. Results:
///   D  of the instruction's type
///   E  the same; the register may be wider
///   W  of twice the type's width
///   R  of 32 bits
///   P  a predicate
///   V  the elements of a load
///   M  the result of a move
///   S  of the instruction's type, or with a predicate behind `|`
/// Values:
///   t  of the instruction's type
///   w  of twice the type's width
///   u  of 32 bits
///   c  of the second type
///   C  the same; the register may be wider
///   p  a predicate, or its negation
///   v  the elements of a store
///   m  the operand of a move
///   o  of 32 bits, which may be missing
/// Registers of all lanes that hold a matrix:
///   X  the results of a load, of 32 bits, one for each matrix
///   Q  4 results of type f32
///   q  4 values of type f32
///   1, 2, 4  so many values of 32 bits
/// Others:
///   A  an address
///   H  an address in shared memory beside another one or beside a mask
///   z  the number of bytes of a copy
///   g  a number of groups of copies
///   b  the number of a barrier
///   k  the mask of the lanes of a warp that execute the instruction
///   L  a label
///   T  a list of branch targets
///   F  all operands of a call
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_FORMS_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_FORMS_H

#include "test/simulator/ptx/warp/Thread.h"

namespace tg::ptx {

/// The type of twice the width of an integer type.
template <Type T> struct WideType;
template <> struct WideType<Type::U16> {
  static constexpr Type type = Type::U32;
};
template <> struct WideType<Type::S16> {
  static constexpr Type type = Type::S32;
};
template <> struct WideType<Type::U32> {
  static constexpr Type type = Type::U64;
};
template <> struct WideType<Type::S32> {
  static constexpr Type type = Type::S64;
};

/// d = F(a).
template <class F> struct Unary {
  static constexpr std::string_view operands = "Dt";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.set<T>(s.slots[0], F::apply(t.get<T>(s.slots[1])));
  }
};

/// d = F(a) for a 32-bit d.
template <class F> struct Count {
  static constexpr std::string_view operands = "Rt";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.set<Type::U32>(s.slots[0], F::apply(t.get<T>(s.slots[1])));
  }
};

/// d = F(a, b).
template <class F> struct Binary {
  static constexpr std::string_view operands = "Dtt";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.set<T>(s.slots[0], F::apply(t.get<T>(s.slots[1]), t.get<T>(s.slots[2])));
  }
};

/// d = F(a, b) for a 32-bit b.
template <class F> struct Shift {
  static constexpr std::string_view operands = "Dtu";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.set<T>(s.slots[0],
             F::apply(t.get<T>(s.slots[1]), t.get<Type::U32>(s.slots[2])));
  }
};

/// d = F(a, b, c).
template <class F> struct Ternary {
  static constexpr std::string_view operands = "Dttt";
  static constexpr uint8_t multiplyAdds = requires { F::isMultiplyAdd; };
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.set<T>(s.slots[0], F::apply(t.get<T>(s.slots[1]), t.get<T>(s.slots[2]),
                                  t.get<T>(s.slots[3])));
  }
};

/// d = F(a, b, c) for 32-bit b and c.
template <class F> struct Extract {
  static constexpr std::string_view operands = "Dtuu";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.set<T>(s.slots[0],
             F::apply(t.get<T>(s.slots[1]), t.get<Type::U32>(s.slots[2]),
                      t.get<Type::U32>(s.slots[3])));
  }
};

/// d = F(a, b, c, e) for 32-bit c and e.
template <class F> struct Insert {
  static constexpr std::string_view operands = "Dttuu";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.set<T>(s.slots[0], F::apply(t.get<T>(s.slots[1]), t.get<T>(s.slots[2]),
                                  t.get<Type::U32>(s.slots[3]),
                                  t.get<Type::U32>(s.slots[4])));
  }
};

/// d = a * b in twice the width.
struct WideProduct {
  static constexpr std::string_view operands = "Wtt";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    constexpr Type wide = WideType<T>::type;
    t.set<wide>(s.slots[0],
                Native<wide>(t.get<T>(s.slots[1])) * t.get<T>(s.slots[2]));
  }
};

/// d = a * b + c in twice the width; sums wrap.
struct WideSum {
  static constexpr std::string_view operands = "Wttw";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    constexpr Type wide = WideType<T>::type;
    uint64_t product =
        uint64_t(Native<wide>(t.get<T>(s.slots[1])) * t.get<T>(s.slots[2]));
    t.set<wide>(s.slots[0],
                Native<wide>(product + uint64_t(t.get<wide>(s.slots[3]))));
  }
};

/// d = a + b or a - b with a carry flag; the flag of a difference is a borrow.
template <bool isSum, bool readsCarry, bool writesCarry> struct CarrySum {
  static constexpr std::string_view operands = "Dtt";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    using Unsigned = std::make_unsigned_t<Native<T>>;
    using Wide = unsigned __int128;
    Wide a = static_cast<Unsigned>(t.get<T>(s.slots[1]));
    Wide b = static_cast<Unsigned>(t.get<T>(s.slots[2]));
    bool &flag = t.warp->carry[t.lane];
    Wide carry = readsCarry && flag;
    Wide result = isSum ? a + b + carry : a - b - carry;
    if constexpr (writesCarry)
      flag = (result >> (8 * sizeof(Unsigned))) & 1;
    t.set<T>(s.slots[0], static_cast<Native<T>>(result));
  }
};

/// Returns the last predicate operand of a step.
inline bool predicateOf(const Thread &t, const Step &s, uint32_t slot) {
  return t.get<Type::Pred>(slot) != s.isNegated;
}

/// p = F(a, b).
template <class F> struct Compare {
  static constexpr std::string_view operands = "Ptt";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.set<Type::Pred>(s.slots[0],
                      F::apply(t.get<T>(s.slots[1]), t.get<T>(s.slots[2])));
  }
};

/// p = G(F(a, b), c) for a predicate c.
template <class F, class G> struct CombinedCompare {
  static constexpr std::string_view operands = "Pttp";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    bool result = F::apply(t.get<T>(s.slots[1]), t.get<T>(s.slots[2]));
    bool other = predicateOf(t, s, s.slots[3]);
    t.set<Type::Pred>(s.slots[0], G::apply(result, other));
  }
};

/// p = F(a).
template <class F> struct Test {
  static constexpr std::string_view operands = "Pt";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    t.set<Type::Pred>(s.slots[0], F::apply(t.get<T>(s.slots[1])));
  }
};

/// d = c ? a : b for a predicate c.
struct Select {
  static constexpr std::string_view operands = "Dttp";
  template <Type T> static void execute(const Thread &t, const Step &s) {
    bool isFirst = predicateOf(t, s, s.slots[3]);
    t.set<T>(s.slots[0], t.get<T>(s.slots[isFirst ? 1 : 2]));
  }
};

/// d = c >= 0 ? a : b; a NaN is not.
struct SelectBySign {
  static constexpr std::string_view operands = "Dttc";
  template <Type T, Type C>
  static void execute(const Thread &t, const Step &s) {
    bool isFirst = t.get<C>(s.slots[3]) >= 0;
    t.set<T>(s.slots[0], t.get<T>(s.slots[isFirst ? 1 : 2]));
  }
};

} // namespace tg::ptx

#endif
