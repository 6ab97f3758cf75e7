// Tests that empty C++ functions as arguments are errors at the user's line.
#include "../Errors.h"
#include "tg/tg.h"

using namespace tg;

namespace {
constexpr char kFound[] = "found an empty function";
using One = std::function<Tensor(Tensor)>;
using Two = std::function<Tensor(Tensor, Tensor)>;

/// Checks the operations of control flow; the caller sets the mode.
void expectInControl(Program program) {
  Tensor x = program.tensor<float>({1, 2, 3}, {3});
  Tensor zero = program.constant(0);
  std::function<Tensor()> none, some = [&] { return x; };
  One noOne, isLow = [](Tensor i) { return i < 1.0; };
  Two noTwo;
  EXPECT_ERROR(cond(zero < 1.0, none, some),
               "expected a branch where the condition holds, found an empty");
  EXPECT_ERROR(cond(zero < 1.0, some, none), kFound);
  EXPECT_ERROR(whileLoop(isLow, noOne, {zero}), "expected a body, found an");
  EXPECT_ERROR(whileLoop(noOne, isLow, {zero}), kFound);
  EXPECT_ERROR(scan(noTwo, {zero}, {x}), kFound);
  EXPECT_ERROR(mapFn(noOne, {x}), kFound);
  EXPECT_ERROR(foldl(noTwo, x, zero), kFound);
  Tensor (*pointer)(Tensor) = nullptr;
  EXPECT_ERROR(mapFn(pointer, {x}), kFound);
}

TEST(EmptyFunction, ofControlFlowInAGraph) {
  expectInControl(Program("graph"));
}

TEST(EmptyFunction, ofControlFlowInEagerMode) {
  ExecutionScope eager(true);
  expectInControl(Program("eager"));
}

TEST_F(Error, emptyStepsOfBeamSearch) {
  std::function<std::vector<Tensor>(Tensor, Tensor)> none;
  EXPECT_ERROR(beamSearch(none, {x}, {.length = 2}), kFound);
  EXPECT_ERROR(rnnBeamSearch(none, x, {.length = 2}), kFound);
}

TEST_F(Error, emptyFunctionsOfTheHost) {
  ArrayFunction none;
  EXPECT_ERROR(registerHost(program, "f", none),
               "expected a function of the host, found an empty function");
  Session session(program);
  EXPECT_ERROR(session.registerHost("f", none), kFound);
}

TEST_F(Error, emptyGivenGradients) {
  using Forward =
      std::function<std::vector<Tensor>(const std::vector<Tensor> &)>;
  Forward noForward, same = [](const std::vector<Tensor> &in) { return in; };
  GivenGradient none, given = [](auto &, auto &, auto &out) { return out; };
  EXPECT_ERROR(customGradient({y}, noForward, given), kFound);
  EXPECT_ERROR(customGradient({y}, same, none), kFound);
  EXPECT_ERROR(registerGradient(program, "g", none), kFound);
  EXPECT_ERROR(OverrideGradient(none), kFound);
}

TEST_F(Error, emptyFunctionsOfOptimizers) {
  BaseOptimizer::LossFunction none;
  EXPECT_ERROR(SGD().minimize(none), kFound);
  EXPECT_ERROR(SGD().computeGradients(none), kFound);
  EXPECT_ERROR(Schedule(One()), "expected a function of the step, found an");
}

TEST_F(Error, emptyFunctionsAroundGradients) {
  using namespace symbolic;
  EXPECT_ERROR(MapGradient(MapGradient::Function()), kFound);
  EXPECT_ERROR(MapGradient(Activation()), kFound);
  EXPECT_ERROR(SummaryGradient(SummaryGradient::Hook()), kFound);
  EXPECT_ERROR(PostProcess(SGD(), std::function<Updates()>()), kFound);
  EXPECT_ERROR(VariableAssignment(SGD(), {}), kFound);
}

TEST_F(Error, emptyFunctionsOfLayers) {
  One none;
  Two noTwo;
  EXPECT_ERROR(Lambda(none), "expected a function, found an empty function");
  EXPECT_ERROR(symbolic::LinearWrap(y).apply(none), kFound);
  EXPECT_ERROR(symbolic::LinearWrap(y).apply(noTwo, y), kFound);
  EXPECT_ERROR(symbolic::LinearWrap(y).apply2(noTwo, y), kFound);
  EXPECT_ERROR(symbolic::TowerFunction({"x"}, {}), kFound);
  EXPECT_ERROR(Initializer(Initializer::Build()), kFound);
  EXPECT_ERROR(makeTemplate(program, "t", none), kFound);
}

TEST_F(Error, emptyFunctionsOfDatasets) {
  using Element = Dataset::Element;
  Dataset data = Dataset::fromTensorSlices({Array({1, 2, 3})});
  EXPECT_ERROR(data.map(std::function<Element(const Element &)>()), kFound);
  EXPECT_ERROR(Dataset::fromReader({{f32, {}}}, {}), kFound);
  auto open = [](int64_t) { return Dataset::Reader(); };
  EXPECT_ERROR(Dataset::fromReader({{f32, {}}}, open).batch(2).begin(),
               "expected a reader of the pass, found an empty function");
}

TEST_F(Error, optimizationsOfSessions) {
  EXPECT_ERROR(Session(program, {.optimization = 7}),
               "expected an optimization of 0 to 3, found 7");
  EXPECT_ERROR(Session(program, {.optimization = -1}), "0 to 3, found -1");
}

// "linear" is an empty activation, which a layer may call all the same.
TEST_F(Error, noActivationGivesItsInput) {
  EXPECT_EQ(Activation("linear")(y).id(), y.id());
}
} // namespace
