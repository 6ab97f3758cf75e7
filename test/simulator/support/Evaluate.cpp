#include "Evaluate.h"

#include "test/simulator/ptx/Table.h"

#include <set>
#include <sstream>

using namespace tg::test;
using namespace tg;

/// The variants of the table that tests have run.
static std::set<const ptx::Variant *> &runVariants() {
  static std::set<const ptx::Variant *> variants;
  return variants;
}

void tg::test::noteRun(const std::string &opcode) {
  ptx::Instruction instruction;
  std::istringstream stream(opcode);
  std::getline(stream, instruction.mnemonic, '.');
  for (std::string modifier; std::getline(stream, modifier, '.');)
    instruction.modifiers.push_back(modifier);
  if (std::optional<ptx::Match> match = ptx::findInstruction(instruction))
    runVariants().insert(match->variant);
}

namespace {

/// Expects that a whole run has tested every instruction on values.
class Coverage : public testing::Environment {
public:
  void TearDown() override {
    if (testing::GTEST_FLAG(filter) != "*")
      return;
    for (const ptx::Row &row : ptx::instructionTable()) {
      bool isOnValues = row.operands.find_first_not_of(
                            "DEWRPStwucCpkXHQq124") == row.operands.npos;
      if (!isOnValues || row.operands.empty() || row.mnemonic == "cvta")
        continue;
      for (const ptx::Variant &variant : row.variants)
        if (!runVariants().contains(&variant))
          ADD_FAILURE() << "no test of " << row.mnemonic << " " << row.modifiers
                        << " " << ptx::infoOf(variant.type).name << " "
                        << ptx::infoOf(variant.source).name;
    }
  }
};

const testing::Environment *coverage =
    testing::AddGlobalTestEnvironment(new Coverage);

} // namespace

/// Returns the register of a width with a number.
static std::string registerOf(unsigned width, unsigned number) {
  const char *bank = width == 64   ? "%d"
                     : width == 32 ? "%r"
                     : width == 1  ? "%q"
                                   : "%h";
  return bank + std::to_string(number);
}

/// Returns the instructions that load an operand into its register.
static std::string loadOf(unsigned width, unsigned number) {
  std::string from = ", [%d2+" + std::to_string(8 * number) + "];\n";
  std::string name = std::to_string(4 + number);
  if (width == 1)
    return "ld.global.b32 %r" + name + from + "setp.ne.b32 %q" + name + ", %r" +
           name + ", 0;\n";
  return "ld.global.b" + std::to_string(width) + " " +
         registerOf(width, 4 + number) + from;
}

/// Returns a kernel whose thread i runs an instruction on tuple i.
static std::string kernelFor(const std::string &opcode, const Widths &widths) {
  std::string body = R"(mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mad.lo.u32 %r1, %r2, 256, %r1;
cvt.u64.u32 %d1, %r1;
setp.ge.u64 %q1, %d1, %p2;
@%q1 ret;
mul.lo.u64 %d2, %d1, 40;
add.u64 %d2, %d2, %p0;
mul.lo.u64 %d3, %d1, 8;
add.u64 %d3, %d3, %p1;
)";
  std::string call = opcode + " " + registerOf(widths.result, 9);
  for (unsigned i = 0; i < widths.operands.size(); ++i) {
    body += loadOf(widths.operands[i], i);
    call += ", " + registerOf(widths.operands[i], 4 + i);
  }
  body += call + ";\n";
  if (widths.result == 1)
    body += "selp.b32 %r9, 1, 0, %q9;\nst.global.b32 [%d3], %r9;\n";
  else
    body += "st.global.b" + std::to_string(widths.result) + " [%d3], " +
            registerOf(widths.result, 9) + ";\n";
  return kernelOf(3, body);
}

std::vector<uint64_t>
InstructionTest::evaluate(const std::string &opcode, const Widths &widths,
                          const std::vector<Operands> &tuples) {
  noteRun(opcode);
  // A tuple takes 5 words.
  std::vector<uint64_t> words;
  for (const Operands &tuple : tuples) {
    words.insert(words.end(), tuple.begin(), tuple.end());
    words.resize((words.size() + 4) / 5 * 5);
  }
  Buffer operands(words.size() * 8), results(tuples.size() * 8);
  operands.put(words);
  results.put(std::vector<uint64_t>(tuples.size(), 0));
  CUfunction function = kernel(kernelFor(opcode, widths), "k");
  if (!function)
    return std::vector<uint64_t>(tuples.size(), 0);
  run(function, (tuples.size() + 255) / 256, 256,
      {operands.address, results.address, tuples.size()});
  return results.take<uint64_t>(tuples.size());
}
