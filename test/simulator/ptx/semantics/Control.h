/// The instructions of PTX that move values, branch, call and wait.
#ifndef TG_TEST_SIMULATOR_PTX_SEMANTICS_CONTROL_H
#define TG_TEST_SIMULATOR_PTX_SEMANTICS_CONTROL_H

#include "Forms.h"
#include "SpecialRegisters.h"

namespace tg::ptx {

/// d = a: a value, an address, a special register, or the parts of a vector.
struct Move {
  static constexpr std::string_view operands = "Mm";
  template <Type T> static void execute(Thread &t, const Step &s) {
    t.registers[s.slots[0]] = t.registers[s.slots[1]];
  }
};

/// d = the address of a variable.
inline void moveAddress(Thread &t, const Step &s) {
  t.registers[s.slots[0]] = t.addressOf(s);
}

/// d = a special register.
inline void moveSpecial(Thread &t, const Step &s) {
  t.registers[s.slots[0]] = specialRegisters[s.target].read(t);
}

/// d = {a, b, ...}; the first element has the lowest bits.
template <unsigned bits> void packElements(Thread &t, const Step &s) {
  uint64_t packed = 0;
  for (unsigned i = 0; i < s.count; ++i) {
    uint64_t mask = ~uint64_t(0) >> (64 - bits);
    packed |= (t.registers[s.slots[1 + i]] & mask) << (bits * i);
  }
  t.registers[s.slots[0]] = packed;
}

/// {d, e, ...} = a.
template <unsigned bits> void unpackElements(Thread &t, const Step &s) {
  uint64_t packed = t.registers[s.slots[s.count]];
  for (unsigned i = 0; i < s.count; ++i) {
    uint64_t mask = ~uint64_t(0) >> (64 - bits);
    t.registers[s.slots[i]] = packed >> (bits * i) & mask;
  }
}

struct Branch {
  static constexpr std::string_view operands = "L";
  static void execute(Thread &t, const Step &s) { t.jump(s.target); }
};

/// Branches to the target of an index; an index that has none is a fault.
struct BranchIndexed {
  static constexpr std::string_view operands = "uT";
  static void execute(Thread &t, const Step &s) {
    const Code &code = *t.frames.back().code;
    const std::vector<uint32_t> &targets = code.branchTargets[s.target];
    uint32_t index = t.get<Type::U32>(s.slots[0]);
    if (index < targets.size())
      t.jump(targets[index]);
    else
      t.fail(Fault::LaunchFailed, index);
  }
};

struct Call {
  static constexpr std::string_view operands = "F";
  static void execute(Thread &t, const Step &s) {
    t.call(t.frames.back().code->calls[s.target]);
  }
};

struct Return {
  static constexpr std::string_view operands = "";
  static void execute(Thread &t, const Step &) { t.leave(); }
};

/// Ends the thread, also inside of a called function.
struct Exit {
  static constexpr std::string_view operands = "";
  static void execute(Thread &t, const Step &) {
    t.state = Thread::State::Ended;
  }
};

struct Trap {
  static constexpr std::string_view operands = "";
  static void execute(Thread &t, const Step &) {
    t.fail(Fault::LaunchFailed, 0);
  }
};

/// Waits for all threads of the block that have not ended.
struct Barrier {
  static constexpr std::string_view operands = "b";
  static void execute(Thread &t, const Step &s) {
    t.barrier = t.get<Type::U32>(s.slots[0]);
    t.state = Thread::State::Waits;
  }
};

/// Orders accesses, which already happen in order.
struct Fence {
  static constexpr std::string_view operands = "";
  static void execute(Thread &, const Step &) {}
};

} // namespace tg::ptx

#endif
