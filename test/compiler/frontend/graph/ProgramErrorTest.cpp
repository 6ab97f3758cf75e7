// Tests that errors in programs, functions and names carry the user's line.
#include "../Errors.h"

#include <cstdio>
#include <string>
#include <vector>

using namespace tg;

namespace {
TEST_F(Error, ofProgramsWithoutFunctions) {
  unsigned line = __LINE__ + 1;
  Program empty("empty");
  try {
    empty.text();
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.message,
              "expected at least one public function, found none [M3]");
    EXPECT_EQ(error.line, line);
  }
}

TEST_F(Error, ofWholeNumbersThatAreRounded) {
  Tensor wide = program.input("wide", i64, {});
  const int64_t odd = (int64_t(1) << 53) + 1;
  EXPECT_ERROR(wide + odd, "holds exactly, found 9007199254740993");
  EXPECT_ERROR(program.constant(-odd, i64), "found -9007199254740993");
  EXPECT_NO_THROW(wide + (odd - 1));
}

TEST_F(Error, ofOptionsOfTheCompiler) {
  auto messageOf = [&](const ModelOptions &options) -> std::string {
    unsigned line = __LINE__ + 2;
    try {
      program.compile(testing::TempDir() + "never.so", options);
    } catch (const GraphError &error) {
      EXPECT_EQ(error.line, line) << error.what();
      return error.message;
    }
    return "";
  };
  EXPECT_EQ(messageOf({.optimization = 4}),
            "expected an optimization of 0 to 3, found 4");
  EXPECT_EQ(messageOf({.targets = {"cpu", "tpu"}}),
            "expected targets of the kinds cpu or cuda, found 'tpu'");
  EXPECT_EQ(messageOf({.targets = {}}),
            "expected targets of the kinds cpu or cuda, found none");
  EXPECT_EQ(messageOf({.memoryBudget = -1}),
            "expected a memory budget of 0 bytes or more, found -1");
  EXPECT_EQ(messageOf({.functions = {"train,test"}}),
            "expected names of functions, found 'train,test'");
  EXPECT_EQ(messageOf({.precision = "f16"}),
            "expected f32 or tf32 for the precision, found 'f16'");
  EXPECT_EQ(messageOf({.convAlgorithm = "fft"}),
            "expected auto, direct or winograd for convolutions, found 'fft'");
  EXPECT_EQ(messageOf({.tune = "pentium99"}),
            "expected LLVM's name of a CPU to tune for, as znver4, found "
            "'pentium99'");
  EXPECT_EQ(messageOf({.report = "costs.txt"}),
            "expected the file of option 'report' to end in .json, or in .html "
            "for a page, found 'costs.txt'");
  std::string weights = testing::TempDir() + "weights.json";
  EXPECT_EQ(messageOf({.weights = weights, .report = weights}),
            "expected another file for the report than '" + weights +
                "', which has the weights");
  for (std::vector<int> levels : {std::vector<int>{5}, {2, 2}, {1}})
    EXPECT_NE(messageOf({.levels = levels}).find("levels 2, 3 and 4"),
              std::string::npos);
  program.function("f", {.inputs = {x}, .outputs = {{"y", x}}});
  EXPECT_EQ(messageOf({.kernelCache = "/dev/null"}),
            "option 'kernelCache': expected a directory, found '/dev/null': "
            "Not a directory");
}

/// A memory budget applies to all inputs, so it requires known extents, even if
/// it is large.
TEST_F(Error, ofBudgetsForUnknownExtents) {
  program.function("f", {.inputs = {x}, .outputs = {{"y", exp(x)}}});
  try {
    program.compile(testing::TempDir() + "never.so", {.memoryBudget = 1 << 30});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.message,
              "option 'memoryBudget': expected a number for every extent of "
              "function 'f' (option 'dims', as in batch=32), found none for "
              "'n'");
  }
}

TEST_F(Error, ofFilesThatCannotBeWritten) {
  program.function("f", {.inputs = {x}, .outputs = {{"y", x}}});
  const std::string nowhere = testing::TempDir() + "no/such/directory/f";
  EXPECT_ERROR(program.compile(nowhere + ".so"), "No such file or directory");
  EXPECT_ERROR(program.write(nowhere + ".mlir"), "No such file or directory");
  EXPECT_ERROR(program.writeGraph(nowhere + ".dot"), "No such file");
}

TEST_F(Error, ofEmptyNames) {
  EXPECT_ERROR(program.function("", {.inputs = {x}, .outputs = {{"y", x}}}),
               "expected a name of the function");
  EXPECT_ERROR(program.function("f", {.inputs = {x}, .outputs = {{"", x}}}),
               "expected names of the outputs of function 'f'");
}

TEST_F(Error, ofOperandsOfTwoPrograms) {
  Program other("q");
  Tensor z = other.input("z", f32, {3});
  EXPECT_ERROR(x + z, "expected tensors of one program, found those of 'p' "
                      "and 'q'");
}

TEST_F(Error, ofAFunctionThatLacksAnInput) {
  EXPECT_ERROR(program.function("f", {.outputs = {{"y", exp(x)}}}),
               "expected input 'x' among the inputs of function 'f'");
  EXPECT_ERROR(program.function("f", {.inputs = {exp(x)}}),
               "to be made by Program::input");
}

TEST_F(Error, ofNamesThatAreNone) {
  for (const char *name : {"", "a b", "1st", "a//b", "../w"})
    EXPECT_ERROR(program.variable(name, f32, {2}, zeros()),
                 "expected a name like fc1/W of up to 255 letters, digits");
  EXPECT_ERROR(program.input("my input", f32, {2}),
               "expected a name like fc1/W of up to 255 letters, digits and _ "
               ". / - for an input, found 'my input'");
}

TEST_F(Error, ofInputsOfOneName) {
  unsigned line = __LINE__ + 1;
  Tensor second = program.input("x", f32, {2});
  for (const std::vector<Tensor> &inputs :
       {std::vector{x, second}, {second, x}})
    try {
      program.function("f", {.inputs = inputs});
      ADD_FAILURE() << "expected an error";
    } catch (const GraphError &error) {
      EXPECT_EQ(error.line, line) << error.what();
      EXPECT_EQ(error.message.find("expected another name for input 'x': "
                                   "function 'f' has an input of this name, "
                                   "made in line "),
                0u)
          << error.what();
    }
  program.function("g", {.inputs = {second}}); // one of them is none too many
}

TEST_F(Error, ofNamesThatAreTaken) {
  program.variable("w", f32, {2}, zeros());
  EXPECT_ERROR(program.variable("w", f32, {2}, zeros()), "found 'w'");
  program.function("f", {.inputs = {x}, .outputs = {{"x", x}}});
  EXPECT_ERROR(program.function("f", {.inputs = {x}, .outputs = {{"x", x}}}),
               "expected another name for function 'f': there is a function of "
               "this name, made in line " +
                   std::to_string(__LINE__ - 4));
  program.function("w", {}); // variables have names of their own
  EXPECT_ERROR(program.function("init", {}),
               "expected another name for function 'init': the program makes "
               "a function of this name itself, which sets the initial "
               "values of its variables");
  EXPECT_ERROR(
      program.function("g", {.inputs = {x}, .outputs = {{"x", x}, {"x", x}}}),
      "to be unique");
}

TEST_F(Error, ofUpdatesThatNoFunctionHas) {
  Variable w = program.variable("w", f32, {3}, zeros());
  Tensor loss = reduceSum(w * w);
  unsigned line = __LINE__ + 1;
  Updates updates = SGD().minimize(loss);
  Updates assigned = assign(w, onesLike(w));
  program.function("train", {.outputs = {{"loss", loss}}});
  try {
    program.text();
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.message,
              "expected a function that has these updates, found none: give "
              "them to Program::function as .updates");
    EXPECT_EQ(error.line, line);
    ASSERT_EQ(error.others.size(), 1u);
    EXPECT_EQ(error.others[0].line, line + 1);
  }
  program.function("learn", {.updates = updates});
  EXPECT_THROW(program.text(), GraphError);
  program.function("reset", {.updates = assigned});
  EXPECT_NO_THROW(program.text());
}

TEST_F(Error, ofUpdatesOutsideOfTraining) {
  struct Wrong : BaseLayer {
    using BaseLayer::update;
  } layer;
  Variable w = program.variable("w", f32, {3}, zeros());
  EXPECT_ERROR(layer.update(w, w),
               "expected update() to be called only within train()");
}

TEST_F(Error, ofAnInitializerOfAnotherSize) {
  EXPECT_ERROR(program.variable("w", f32, {3}, values({1, 2})),
               "expected 3 elements");
}

TEST_F(Error, ofLaterPhasesNamesTheLineToo) {
  Variable w = program.variable("w", f32, {3}, zeros());
  unsigned line = __LINE__ + 1;
  Tensor rows = cast(argMax(x * w), f32);
  program.function(
      "f", {.inputs = {x},
            .outputs = {{"g", gradientsOf(reduceSum(rows), {w}).front()}}});
  std::string path = testing::TempDir() + "never.so";
  std::remove(path.c_str());
  try {
    program.compile(path);
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_GE(error.line, line) << error.what();
    EXPECT_NE(error.message.find("'tg.gradient' op"), std::string::npos)
        << error.what();
  }
  FILE *file = std::fopen(path.c_str(), "r");
  EXPECT_EQ(file, nullptr);
}

TEST_F(Error, namesTheEndingOfWhatIsWritten) {
  program.function("f", {.inputs = {x}, .outputs = {{"y", x * 2.0}}});
  EXPECT_ERROR(program.compile("x.txt"),
               "expected a path that ends in .so for a library, found 'x.txt'");
  EXPECT_ERROR(program.write("x.so"),
               "expected a path that ends in .mlir for text, or in .dot for a "
               "graph, found 'x.so'");
  EXPECT_ERROR(program.compile("x.so", {.relocatable = true}),
               "expected a path that ends in .o for an object file");
}

TEST_F(Error, givesAllMistakesOfAProgram) {
  program.function("a b", {.inputs = {x}, .outputs = {{"y", exp(x)}}});
  unsigned line = __LINE__ - 1;
  program.function("c d", {.inputs = {x}, .outputs = {{"y", exp(x)}}});
  try {
    program.compile(testing::TempDir() + "never.so");
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line);
    ASSERT_EQ(error.others.size(), 1u) << error.what();
    EXPECT_EQ(error.others.front().line, line + 2);
    std::string all = error.what();
    EXPECT_NE(all.find("'a b'"), std::string::npos) << all;
    EXPECT_NE(all.find("'c d'"), std::string::npos) << all;
  }
}

TEST_F(Error, ofAFunctionThatLacksSeveralInputsNamesThemAll) {
  try {
    program.function("f", {.outputs = {{"x", exp(x)}, {"y", exp(y)}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    ASSERT_EQ(error.others.size(), 1u) << error.what();
    EXPECT_NE(error.message.find("'x'"), std::string::npos) << error.what();
    EXPECT_NE(error.others.front().message.find("'y'"), std::string::npos);
  }
}

/// Returns nested branches.
Tensor nest(Tensor x, unsigned depth, unsigned &line) {
  if (depth == 0)
    return x * 2.0;
  auto deeper = [&] { return nest(x, depth - 1, line); };
  auto other = [&] { return -x; };
  line = __LINE__ + 1;
  return cond(x > 0.0, deeper, other);
}

TEST_F(Error, ofRegionsThatNestTooDeep) {
  Tensor s = program.input("s", f32, {});
  unsigned line = 0;
  try {
    (void)nest(s, 5000, line);
    FAIL();
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line) << error.what();
    EXPECT_NE(error.message.find("expected branches and loops that nest at "
                                 "most 240 deep, found one more"),
              std::string::npos)
        << error.what();
  }
  program.function("f",
                   {.inputs = {s}, .outputs = {{"y", nest(s, 240, line)}}});
  program.compile(testing::TempDir() + "deep.so", {.levels = {2}});
}

} // namespace
