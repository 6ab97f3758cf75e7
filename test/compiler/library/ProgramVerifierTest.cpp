/// Tests that the verifier finds every wrong number in the tables of a function
/// before it becomes a wild pointer in a user's process.
#include "compiler/library/plan/ProgramVerifier.h"
#include "LibraryHarness.h"
#include "dialects/tgx/Tgx.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstring>
#include <random>

using namespace tg;

namespace {
/// Fixture with the programs of a scheduled module.
class ProgramVerifierTest : public testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<TgDialect, tgx::TgxDialect>();
    readModel(test::kCounterModel);
  }

  /// Replaces the programs by those of a scheduled module.
  void readModel(llvm::StringRef text) {
    programs.clear();
    limits.clear();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    auto read = ModelPlan::create(*module, /*keepsVariables=*/false);
    ASSERT_TRUE(mlir::succeeded(read));
    plan = std::move(*read);
    for (const FunctionPlan &function : plan->functions) {
      auto program = FunctionProgram::create(function, *plan);
      ASSERT_TRUE(mlir::succeeded(program));
      programs.push_back(std::move(*program));
      limits.push_back(limitsOf(function, *plan));
    }
  }

  /// Expects a mistake after a change of the program of a function.
  void expectMistake(llvm::function_ref<void(FunctionProgram &)> change,
                     llvm::StringRef part,
                     llvm::StringRef function = "relu_twice") {
    FunctionProgram program = programs[numberOf(function)];
    change(program);
    std::string mistake = verifyProgram(program, limits[numberOf(function)]);
    EXPECT_NE(mistake.find(part.str()), std::string::npos) << mistake;
  }
  size_t numberOf(llvm::StringRef function) const {
    for (size_t i = 0; i < plan->functions.size(); ++i)
      if (plan->functions[i].name == function)
        return i;
    return 0;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<ModelPlan> plan;
  std::vector<FunctionProgram> programs;
  std::vector<ProgramLimits> limits;
};
} // namespace

TEST_F(ProgramVerifierTest, acceptsWhatTheCompilerMakes) {
  ASSERT_GE(programs.size(), 4u);
  for (size_t i = 0; i < programs.size(); ++i)
    EXPECT_EQ(verifyProgram(programs[i], limits[i]), "");
}

TEST_F(ProgramVerifierTest, findsWrongNumbers) {
  using Program = FunctionProgram;
  expectMistake([](Program &p) { p.slots[0].base = p.baseCount; },
                "expected a base below ");
  expectMistake([](Program &p) { p.slots[0].offset = -4; },
                "expected an offset from 0 to ");
  expectMistake([](Program &p) { p.slots[0].base = TG_EMBEDDED_BASE_SYMBOLS; },
                "step 0: expected");
  expectMistake([](Program &p) { ++p.bases.outputs; },
                "program: expected bases that begin at ");
  expectMistake([](Program &p) { ++p.baseCount; }, "bases that begin at ");
  expectMistake([](Program &p) { p.numbers.push_back(p.flops); },
                "bases that begin at ");
  expectMistake([](Program &p) { p.steps[0].number = 77; },
                "step 0: expected a kernel below ");
  expectMistake([](Program &p) { p.steps[0].slot_count = 1u << 30; },
                "step 0: expected slots in the list");
  expectMistake([](Program &p) { p.steps[0].kind = 99; },
                "step 0: expected a kind of step, found 99");
  expectMistake([](Program &p) { p.steps[0].timed = 99; },
                "expected a step with costs below ");
  expectMistake([](Program &p) { p.steps[2].slot_count = 2; },
                "step 2: expected 3 slots, found 2");
  expectMistake([](Program &p) { p.headerBytes = 64; }, "a header of ");
  expectMistake([](Program &p) { ++p.computed[0]; },
                "expected the first word of an expression");
  expectMistake([](Program &p) { p.relations[0].kind = 3; },
                "expected a kind of relation below 3, found 3");
  expectMistake([](Program &p) { p.buffers.back().end = 4096; },
                "expected an end below ");
  expectMistake([](Program &p) { p.buffers.back().below_count = 4096; },
                "expected ends in the list");
  expectMistake([](Program &p) { p.results[0].slot = 99; },
                "step 0: expected a slot of the step, found 99");
  expectMistake(
      [](Program &p) { p.results[0].slot = p.steps[0].slot_count - 1; },
      "step 0: expected the base of memory");
  expectMistake([](Program &p) { ++p.results[0].row_bytes; },
                "step 0: expected the first word of an expression");
  expectMistake([](Program &p) { p.firstResults.back() = 99; },
                "expected results in the list, found 99");
  expectMistake([](Program &p) { p.firstResults.clear(); },
                "step 0: expected results of the step");
  // A jump past the last step, and a jump that loops forever.
  auto step = [](uint32_t kind, uint32_t target) {
    return tg_embedded_step_t{kind, 0, 0, 0, target, 0, TG_EMBEDDED_UNTIMED, 0};
  };
  expectMistake(
      [&](Program &p) { p.steps.push_back(step(TG_EMBEDDED_JUMP, 99)); },
      "expected a target below ");
  expectMistake(
      [&](Program &p) { p.steps.push_back(step(TG_EMBEDDED_NEXT, 99)); },
      "expected the base of a register");
}

TEST_F(ProgramVerifierTest, findsWrongChecks) {
  auto expectWrong = [&](llvm::function_ref<void(FunctionProgram &)> change,
                         llvm::StringRef part) {
    expectMistake(change, part, "lookup");
  };
  const FunctionProgram &program = programs[numberOf("lookup")];
  ASSERT_EQ(program.steps[1].kind, uint32_t(TG_EMBEDDED_CHECK));
  EXPECT_EQ(program.cellCount, uint32_t(TG_EMBEDDED_LEAST_CELLS));
  using Program = FunctionProgram;
  expectWrong([](Program &p) { p.steps.erase(p.steps.begin()); },
              "step 0: expected a check after a launch");
  expectWrong([](Program &p) { p.steps[1].number = 1; },
              "step 1: expected checks in the list");
  expectWrong([](Program &p) { p.checks[0].firstCell = 1; },
              "step 1: expected cells from 0 on, found 1");
  expectWrong([](Program &p) { p.checks[0].cellCount = 7; },
              "step 1: expected at most 6 cells, found 7");
}

TEST_F(ProgramVerifierTest, findsWrongGrids) {
  readModel(
      R"(module attributes {tgx.target = #tgx.target<kind = "cuda", optimization = 2>} {
    tgx.function @custom attributes {alignment = 256 : i64, computed = affine_map<()[s0] -> ()>, inputs = [{extents = affine_map<()[s0] -> (s0)>, name = "x", type = tensor<?xf32>}], outputs = [{extents = affine_map<()[s0] -> (s0)>, name = "y", type = tensor<?xf32>}], role = "", symbols = ["n"]} {
      %0 = tgx.input 0 : tensor<?xf32>
      %1 = tgx.output 0 : tensor<?xf32>
      tgx.host "call" "f"(%0) into(%1) [s0] -> (s0, s0) {kernel = #tg.cuda_kernel<ptx = "", block = [32, 2], shared_bytes = 16>} : tensor<?xf32> into tensor<?xf32>
    }
  })");
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(verifyProgram(programs[0], limits[0]), "");
  ASSERT_EQ(programs[0].steps[0].kind, uint32_t(TG_EMBEDDED_GRID));
  ASSERT_EQ(programs[0].steps[0].slot_count, 7u);
  const tg_embedded_grid_t &grid = programs[0].grids.front();
  EXPECT_EQ(grid.image, 1u);
  EXPECT_EQ(grid.threads[0] * 1000 + grid.threads[1] * 10 + grid.threads[2],
            32021u);
  EXPECT_EQ(grid.shared_bytes, 16u);
  auto expectWrong = [&](llvm::function_ref<void(FunctionProgram &)> change,
                         llvm::StringRef part) {
    expectMistake(change, part, "custom");
  };
  using Program = FunctionProgram;
  expectWrong([](Program &p) { p.steps[0].number = 1; },
              "step 0: expected a grid below 1, found 1");
  expectWrong([](Program &p) { p.grids[0].image = 2; },
              "step 0: expected an image below 2, found 2");
  expectWrong(
      [](Program &p) {
        p.steps[0].slot_count = 2;
        p.results[0].slot = 0;
      },
      "step 0: expected the base of memory");
  expectWrong([](Program &p) { p.slots[0].base = p.bases.inputs; },
              "step 0: expected the base of a number");
  expectWrong([](Program &p) { p.slots[4].base = TG_EMBEDDED_BASE_ZERO; },
              "step 0: expected the base of memory");
  expectWrong([](Program &p) { p.slots[6].base = p.bases.inputs; },
              "step 0: expected the base of a number");
}

/// The verifier survives random bytes in steps and slots, and reports every
/// base past the last one.
TEST_F(ProgramVerifierTest, readsAnything) {
  std::mt19937 generator(1);
  for (int round = 0; round < 20000; ++round) {
    FunctionProgram program = programs[round % programs.size()];
    auto change = [&](auto &list) {
      if (list.empty())
        return;
      auto &entry = list[generator() % list.size()];
      char bytes[sizeof(entry)];
      std::memcpy(bytes, &entry, sizeof(entry));
      bytes[generator() % sizeof(entry)] = char(generator());
      std::memcpy(&entry, bytes, sizeof(entry));
    };
    switch (generator() % 4) {
    case 0:
      change(program.steps);
      break;
    case 1:
      change(program.buffers);
      break;
    case 2:
      change(program.relations);
      break;
    default:
      change(program.slots);
    }
    std::string mistake =
        verifyProgram(program, limits[round % programs.size()]);
    for (const tg_embedded_step_t &step : program.steps)
      for (uint64_t slot = step.first_slot;
           slot < uint64_t(step.first_slot) + step.slot_count; ++slot)
        if (slot >= program.slots.size() ||
            program.slots[slot].base >= program.baseCount) {
          EXPECT_NE(mistake, "");
          break;
        }
  }
}
