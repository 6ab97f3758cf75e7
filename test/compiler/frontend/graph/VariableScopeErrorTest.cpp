// Tests errors of variable scopes at the user's line.
#include "../Errors.h"
#include "tg/graph/variable_scope.h"

using namespace tg;

namespace {
TEST(VariableScopeError, sameNameTwice) {
  Program program("p");
  VariableScope scope(program, "a");
  getVariable(program, "w", {2});
  EXPECT_ERROR(getVariable(program, "w", {2}),
               "expected a new name for a variable, found 'a/w', which line 11 "
               "made: a scope with Reuse::yes finds it");
}

TEST(VariableScopeError, nothingToReuse) {
  Program program("p");
  VariableScope scope(program, "a", {.reuse = Reuse::yes});
  EXPECT_ERROR(getVariable(program, "w", {2}),
               "expected variable 'a/w' to exist in a scope that reuses "
               "variables, found none");
}

TEST(VariableScopeError, anotherShapeOrType) {
  Program program("p");
  getVariable(program, "w", {2, 3});
  VariableScope scope(program, "", {.reuse = Reuse::automatic});
  EXPECT_ERROR(getVariable(program, "w", {3, 2}),
               "expected variable 'w' to be f32 [3, 2], found f32 [2, 3] of "
               "line 27");
  EXPECT_ERROR(getVariable(program, "w", {2, 3}, {.dtype = f64}),
               "expected variable 'w' to be f64 [2, 3], found f32 [2, 3]");
}

TEST(VariableScopeError, names) {
  Program program("p");
  EXPECT_ERROR(getVariable(program, "", {2}), "a name of a variable");
  EXPECT_ERROR(VariableScope(program, "a/"), "neither begins nor ends");
}
} // namespace
