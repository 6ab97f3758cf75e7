// Tests variable scopes: names, reuse, default names.
#include "../Errors.h"
#include "tg/graph/variable_scope.h"

using namespace tg;

namespace {
TEST(VariableScope, namesVariables) {
  Program program("p");
  EXPECT_EQ(getVariable(program, "w", {2}).name(), "w");
  VariableScope outer(program, "outer");
  EXPECT_EQ(outer.name(), "outer");
  EXPECT_EQ(getVariable(program, "w", {2}).name(), "outer/w");
  {
    VariableScope inner(program, "inner");
    EXPECT_EQ(inner.name(), "outer/inner");
    EXPECT_EQ(getVariable(program, "w", {2}).name(), "outer/inner/w");
  }
  EXPECT_EQ(getVariable(program, "v", {2}).name(), "outer/v");
  EXPECT_EQ(variablesByName(program, "w").size(), 3u);
  EXPECT_EQ(variablesByName(program, "inner/w").size(), 1u);
  EXPECT_TRUE(variablesByName(program, "nner/w").empty());
}

TEST(VariableScope, reusesWhatThereIs) {
  Program program("p");
  GetVariableOptions options = {.dtype = f64, .initializer = ones()};
  {
    VariableScope scope(program, "a");
    EXPECT_EQ(scope.reuse(), Reuse::no);
    getVariable(program, "w", {2, 3}, options);
  }
  VariableScope again(program, "a", {.reuse = Reuse::yes});
  EXPECT_EQ(getVariable(program, "w", {2, 3}, options).name(), "a/w");
  VariableScope inner(program, "b");
  EXPECT_EQ(inner.reuse(), Reuse::yes); // inherited from the outer scope
  EXPECT_EQ(program.variables().size(), 1u);
}

TEST(VariableScope, makesOrFindsAutomatically) {
  Program program("p");
  for (int time = 0; time < 3; ++time) {
    VariableScope scope(program, "a", {.reuse = Reuse::automatic});
    Variable w =
        getVariable(program, "w", {4}, {.variable = {.trainable = false}});
    EXPECT_FALSE(w.isTrainable());
  }
  EXPECT_EQ(program.variables().size(), 1u);
}

TEST(VariableScope, countsNamesByDefault) {
  Program program("p");
  std::vector<std::string> names;
  for (int time = 0; time < 3; ++time) {
    VariableScope scope(program, "", {.defaultName = "merge"});
    names.push_back(getVariable(program, "w", {1}).name());
  }
  VariableScope other(program, "x");
  VariableScope scope(program, "", {.defaultName = "merge"});
  names.push_back(scope.name());
  EXPECT_EQ(names, (std::vector<std::string>{"merge/w", "merge_1/w",
                                             "merge_2/w", "x/merge"}));
}

TEST(VariableScope, withoutNameChangesTheRule) {
  Program program("p");
  VariableScope outer(program, "a");
  getVariable(program, "w", {2});
  VariableScope same(program, "", {.reuse = Reuse::yes});
  EXPECT_EQ(same.name(), "a");
  EXPECT_EQ(getVariable(program, "w", {2}).name(), "a/w");
}

TEST(VariableScope, isOpenedAgainByItsWholeName) {
  Program program("p");
  VariableScope outer(program, "a");
  VariableScope inner(program, "b");
  VariableScope again(program, "c/d", {.isAbsolute = true});
  EXPECT_EQ(again.name(), "c/d");
  EXPECT_EQ(getVariable(program, "w", {2}).name(), "c/d/w");
}

TEST(VariableScope, templatesShareTheirVariables) {
  Program program("p");
  auto named = [&](Tensor x) {
    Variable w = getVariable(program, "w", {2});
    return std::pair(x * w, w.name());
  };
  auto first = makeTemplate(program, "dense", named);
  auto second = makeTemplate(program, "dense", named);
  Tensor x = program.input("x", f32, {2});
  EXPECT_EQ(first(x).second, "dense/w");
  {
    VariableScope scope(program, "elsewhere");
    auto copy = first;
    EXPECT_EQ(copy(x).second, "dense/w");
    EXPECT_EQ(second(x).second, "dense_1/w");
    EXPECT_EQ(scope.name(), "elsewhere");
    EXPECT_EQ(makeTemplate(program, "dense", named)(x).second,
              "elsewhere/dense/w");
  }
  EXPECT_EQ(program.variables().size(), 3u);
}
} // namespace
