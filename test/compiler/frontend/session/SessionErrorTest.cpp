// Tests that errors of session calls name the line and the found value.
#include "../Errors.h"

using namespace tg;

namespace {
class SessionErrors : public testing::Test {
protected:
  Program graph{"g"}, other{"other"};
  DefaultGraph building{graph};
  Tensor x = placeholder(f32, {dim("n"), 3}, "x");
  Tensor y = placeholder(f32, {dim("n")}, "y");
  Tensor sum = (reduceSum(x, {{1}}) + y).named("sum");
  Variable w = variable(2.0, "w");
  Session session{{.optimization = 1, .kernelCache = ""}};
  std::vector<float> six = std::vector<float>(6);
  std::vector<float> two = {1, 2};
};

TEST_F(SessionErrors, fetches) {
  EXPECT_ERROR(session.run(other.constant(1)), "another graph, 'other'");
  EXPECT_ERROR(session.run(Tensor()), "only declared");
  EXPECT_ERROR(session.run("nothing"), "found 'nothing'");
  EXPECT_ERROR(session.run("nothing"), "; there are 'x', 'y', 'sum', 'w', ");
  EXPECT_ERROR(session.run("summ"), "; did you mean 'sum'?");
  EXPECT_ERROR(session.run("sum:1"), "found 'sum:1'");
  EXPECT_ERROR(session.run({sum, "x/y"}), "found 'x/y'");
  EXPECT_ERROR(session.run(assign(other.variable("v", f32, {}, 0.0), 1.0)),
               "another graph, 'other'");
  EXPECT_ERROR(session.run(other.initializer()), "");
  Tensor inside;
  (void)mapFn([&](Tensor e) { return inside = e * e; }, {y});
  EXPECT_ERROR(session.run(inside, {{y, two}}), "let the region return it");
}

TEST_F(SessionErrors, feeds) {
  EXPECT_ERROR(session.run(sum), "placeholder 'x', made in line");
  EXPECT_ERROR(session.run(sum, {{x, {six, {2, 3}}}}), "placeholder 'y'");
  EXPECT_ERROR(session.run(sum, {{"z", 1}, {y, two}}), "found 'z'");
  EXPECT_ERROR(session.run(x, {{other.constant(1), 1}}), "another graph");
  EXPECT_ERROR(session.run(y, {{y, two}, {"y", two}}), "fed once");
  EXPECT_ERROR(session.run(y, {{y, std::vector<double>{1}}}),
               "type f32 for 'y:0', found f64");
  EXPECT_ERROR(session.run(y, {{y, 1}}), "shape [n] for 'y:0', found []");
  EXPECT_ERROR(session.run(x, {{x, {{1, 2}}}}),
               "shape [n, 3] for 'x:0', found [1, 2]");
  EXPECT_ERROR(session.run(x, {{x, {six, {3, 3}}}}), "expected 9 elements");
  EXPECT_ERROR(session.run(x, {{x, {six, {-2, 3}}}}), "at least 0, found -2");
  EXPECT_ERROR(session.run(y, {{y, Array()}}), "to feed, found none");
  EXPECT_ERROR(session.run(x, {{x, {{1, 2, 3}, {4}}}}),
               "expected lists of one length at each depth, found 3 and 1");
  EXPECT_ERROR(session.setValue(w, {{1, 2}, {3}}), "lists of one length");
  Tensor k = placeholder(i32, {});
  EXPECT_ERROR(session.run(k, {{k, 2.5}}), "that i32 holds, found 2.5");
  EXPECT_ERROR(session.run(sum, {{x, {six, {2, 3}}}, {y, {1, 2, 3}}}),
               "expected 2");
}

TEST_F(SessionErrors, variablesWithoutValue) {
  EXPECT_ERROR(session.run(w * 2.0), "variable 'w', made in line");
  EXPECT_ERROR(session.run(assignAdd(w, 1)), "globalVariablesInitializer()");
  session.run(assign(w, 5));
  EXPECT_EQ(session.run(w).scalar(), 5);
  EXPECT_ERROR(assign(w, constant({1, 2})),
               "a value of 'w', f32 [], found i32 [2]");
  EXPECT_ERROR(graph.initializer({other.variable("v", f32, {}, 0.0)}),
               "found 'v' of 'other'");
}

TEST_F(SessionErrors, truthValuesAreNoNumbers) {
  Tensor i = placeholder(i32, {}, "count");
  Tensor t = placeholder(boolean, {}, "t");
  Variable v = graph.variable("v", f32, {}, zeros());
  const char *expected =
      "expected elements of type i32 for 'count:0', found boolean";
  EXPECT_ERROR(session.run(i + 1, {{i, true}}), expected);
  EXPECT_ERROR(session.setValue(v, false), "expected elements of type f32");
  EXPECT_EQ(session.run(i + 1, {{i, 4}}).scalar(), 5);
  EXPECT_EQ(session.run(logicalNot(t), {{t, true}}).scalar(), 0);
}

TEST_F(SessionErrors, opsThatFailNameTheirLine) {
  Tensor i = placeholder(i32, {});
  Tensor list = constant({1.5, 2.5});
  unsigned line = __LINE__ + 1;
  Tensor found = gather(list, i);
  try {
    session.run(found, {{i, 2}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_EQ(error.line, line) << error.what();
    EXPECT_NE(error.message.find("2"), std::string::npos);
  }
}

/// The kernel computes the checked index itself, so the value is not in memory.
TEST_F(SessionErrors, indicesThatAreComputedTellTheirNumber) {
  Tensor list = constant({1.5, 2.5});
  Tensor found = gather(list, cast(y, i32));
  try {
    session.run(found, {{y, std::vector<float>{0, 1, -1}}});
    ADD_FAILURE() << "expected an error";
  } catch (const GraphError &error) {
    EXPECT_NE(error.message.find("index -1 at element 2 is out of range, "
                                 "expected at least 0 and below 2 [R1]"),
              std::string::npos)
        << error.what();
  }
}

/// Functions that consist of several ops, and placeholders with a shape.
TEST_F(SessionErrors, opsOfOneFunctionNameIt) {
  const auto messageOf = [&](const Tensor &fetch,
                             const std::vector<Feed> &feeds) {
    try {
      session.run(fetch, feeds);
    } catch (const GraphError &error) {
      return error.message;
    }
    return std::string("no error");
  };
  const auto expectPart = [](const std::string &message, const char *part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  Tensor length = placeholder(i32, {dim("n")}, "length");
  expectPart(messageOf(reverseSequence(x, length),
                       {{x, {six, {2, 3}}}, {length, {3, 4}}}),
             "'reverseSequence/");
  Tensor count = placeholder(i32, {}, "count");
  expectPart(messageOf(range(count, {.max = 10}), {{count, 11}}), "'range/");
  Tensor picture = placeholder(f32, {dim(), dim()}, "picture");
  picture.setShape({dim(), 4});
  expectPart(messageOf(picture * 2.0, {{picture, {six, {2, 3}}}}),
             "'shape_of_picture/");
}

TEST_F(SessionErrors, directoriesThatCannotBeMade) {
  Session session({.optimization = 1, .kernelCache = "/dev/null"});
  EXPECT_ERROR(session.run(y * 2.0, {{y, two}}),
               "option 'kernelCache': expected a directory, found "
               "'/dev/null': Not a directory");
}

TEST_F(SessionErrors, levels) {
  EXPECT_ERROR(Session({.levels = {5}}), "levels 2, 3 and 4");
  EXPECT_ERROR(Session({.levels = {2, 2}}), "levels 2, 3 and 4");
}

TEST_F(SessionErrors, levelsThatTheMachineLacks) {
  if (__builtin_cpu_supports("x86-64-v4"))
    GTEST_SKIP() << "this machine runs all levels";
  EXPECT_ERROR(Session({.levels = {4}}),
               "expected an x86-64 level that this machine runs, at most ");
}

TEST_F(SessionErrors, eagerPrograms) {
  ExecutionScope eagerly(true);
  Program values("values");
  EXPECT_ERROR(Session(values), "an eager program, 'values'");
  EXPECT_ERROR(values.constant(1).Tensor::name(), "no names");
}

TEST_F(SessionErrors, names) {
  EXPECT_ERROR(sum.named("a b"), "found 'a b'");
  EXPECT_ERROR(sum.named(""), "found ''");
  EXPECT_ERROR(NameScope("1st"), "found '1st'");
  EXPECT_ERROR(graph.tensor("none"), "found 'none'");
  EXPECT_ERROR(ControlDependencies({sum, other.constant(1)}),
               "'g' and 'other'");
  EXPECT_ERROR(ControlDependencies({Tensor()}), "default-constructed");
}
} // namespace
