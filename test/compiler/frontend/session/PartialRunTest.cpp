// Tests runs of sessions in several calls.
#include "../Errors.h"

#include <cmath>

using namespace tg;

namespace {
class PartialRuns : public testing::Test {
protected:
  Program graph{"g"};
  std::unique_ptr<DefaultGraph> building{new DefaultGraph(graph)};
  SessionOptions options{.optimization = 1, .kernelCache = ""};
  Tensor a = placeholder(f32, {}, "a");
  Tensor b = placeholder(f32, {}, "b");
  Tensor c = placeholder(f32, {}, "c");
};

// The example of TensorFlow's documentation.
TEST_F(PartialRuns, takeFeedsOneAfterTheOther) {
  Tensor r1 = a + b, r2 = r1 * c;
  Session session(graph, options);
  PartialRun run = session.partialRunSetup({r1, r2}, {a, b, c});
  Array first = session.partialRun(run, r1, {{a, 1}, {b, 2}});
  EXPECT_EQ(first.scalar(), 3);
  EXPECT_EQ(session.partialRun(run, r2, {{c, first.scalar() * 6}}).scalar(),
            54);
  // Another run of the same parts compiles nothing.
  size_t compiled = session.compiledCount();
  PartialRun again = session.partialRunSetup({r1, r2}, {a, b, c});
  session.partialRun(again, r1, {{a, 2}, {b, 2}});
  EXPECT_EQ(session.partialRun(again, r2, {{c, 2}}).scalar(), 8);
  EXPECT_EQ(session.compiledCount(), compiled);
}

TEST_F(PartialRuns, computeEachOpOnce) {
  std::vector<float> printed;
  Tensor shown = print("sum", a + b);
  Tensor noise = randomUniform({3});
  Tensor first = noise * shown, second = noise * shown * c;
  Session session(graph, options);
  session.onPrint([&](const std::string &, const Array &value) {
    printed.push_back(float(value.scalar()));
  });
  PartialRun run = session.partialRunSetup({first, second}, {a, b, c});
  Array one = session.partialRun(run, first, {{a, 1}, {b, 2}});
  Array two = session.partialRun(run, second, {{c, 10}});
  EXPECT_EQ(printed, std::vector<float>{3});
  for (size_t i = 0; i < 3; ++i)
    EXPECT_FLOAT_EQ(float(two.at(i)), float(10 * one.at(i)));
  EXPECT_EQ(session.draws().runs, 1);
}

TEST_F(PartialRuns, keepWhatVariablesWereAndAssignOnce) {
  Variable v = variable(3.0, "v");
  Tensor before = v * a;
  Assignment up = assignAdd(v, 1.0);
  Tensor after = before + b;
  Session session(graph, options);
  session.run(graph.initializer());
  PartialRun run = session.partialRunSetup({before, up, after}, {a, b});
  EXPECT_EQ(session.partialRun(run, before, {{a, 2}}).scalar(), 6);
  EXPECT_EQ(session.partialRun(run, up).scalar(), 4);
  EXPECT_EQ(session.value(v).scalar(), 4);
  EXPECT_EQ(session.partialRun(run, after, {{b, 1}}).scalar(), 7);
  EXPECT_EQ(session.value(v).scalar(), 4);
}

// The pattern of reinforcement learning: act, observe the reward, learn.
TEST_F(PartialRuns, differentiateWhatAnEarlierPartComputed) {
  Variable w = variable(2.0, "w");
  int calls = 0;
  registerHost(graph, "seen", [&](const std::vector<Array> &in) {
    ++calls;
    return std::vector<Array>{in[0]};
  });
  Tensor state = hostCall("seen", {a}, a.type());
  Tensor action = tanh(w * state);
  Tensor loss = action * b;
  Updates step = SGD({.learningRate = 1.0}).minimize(loss);
  Session session(graph, options), whole(graph, options);
  for (Session *each : {&session, &whole})
    each->run(graph.initializer());
  PartialRun run = session.partialRunSetup({action, step}, {a, b});
  double taken = session.partialRun(run, action, {{a, 0.5}}).scalar();
  EXPECT_NEAR(taken, std::tanh(1.0), 1e-6);
  session.partialRun(run, {step}, {{b, 3}});
  EXPECT_EQ(calls, 1);
  whole.run({step}, {{a, 0.5}, {b, 3}});
  EXPECT_EQ(session.value(w).scalar(), whole.value(w).scalar());
  EXPECT_NE(session.value(w).scalar(), 2);
}

TEST_F(PartialRuns, takeOneElementOfAnIterator) {
  Iterator iterator(graph, Dataset::fromTensorSlices({Array({1.0, 2.0, 3.0})}),
                    {.isOneShot = true});
  Tensor element = iterator.getNext()[0];
  Tensor first = element * a, second = element * b;
  Session session(graph, options);
  PartialRun run = session.partialRunSetup({first, second}, {a, b});
  EXPECT_EQ(session.partialRun(run, first, {{a, 1}}).scalar(), 1);
  EXPECT_EQ(session.partialRun(run, second, {{b, 5}}).scalar(), 5);
}

TEST_F(PartialRuns, mistakes) {
  Tensor r1 = a + b, r2 = r1 * c, other = a * 2.0;
  Session session(graph, options);
  EXPECT_ERROR(session.partialRunSetup({r2}, {a, b}),
               "expected a feed of placeholder 'c'");
  PartialRun run = session.partialRunSetup({r1, r2}, {a, b, c});
  EXPECT_ERROR(session.partialRun(run, other, {{a, 1}}),
               "expected a fetch that was given to partialRunSetup()");
  EXPECT_ERROR(session.partialRun(run, r1, {{a, 1}}),
               "expected a feed of placeholder 'b'");
  // A failed part has no effect.
  EXPECT_EQ(session.partialRun(run, r1, {{a, 1}, {b, 2}}).scalar(), 3);
  EXPECT_ERROR(session.partialRun(run, r1), "found 'Add:0'");
  EXPECT_ERROR(session.partialRun(run, r2, {{a, 1}, {c, 2}}),
               "expected a feed that was given to partialRunSetup()");
  EXPECT_EQ(session.partialRun(run, r2, {{c, 2}}).scalar(), 6);
  Program second("second");
  EXPECT_ERROR(Session(second, options).partialRun(run, r2),
               "expected a run that partialRunSetup() returned for graph "
               "'second'");
  // A run belongs to one session.
  run = session.partialRunSetup({r1}, {a, b});
  EXPECT_ERROR(Session(graph, options).partialRun(run, r1, {{a, 1}, {b, 2}}),
               "found one of another session");
  Session moved = std::move(session);
  EXPECT_EQ(moved.partialRun(run, r1, {{a, 1}, {b, 2}}).scalar(), 3);
}

TEST_F(PartialRuns, refuseAGradientOfWhatWasAssigned) {
  Variable w = variable(2.0, "w");
  Tensor loss = w * w * a;
  Tensor slope = gradients(loss, {w})[0].value * b;
  Assignment up = assignAdd(w, 1.0);
  Session session(graph, options);
  session.run(graph.initializer());
  PartialRun run = session.partialRunSetup({loss, up, slope}, {a, b});
  session.partialRun(run, std::vector<Fetch>{loss, up}, {{a, 1}});
  EXPECT_ERROR(session.partialRun(run, slope, {{b, 1}}),
               "expected no assignment of variable 'w' since an earlier part "
               "of the run read it, because a gradient of this part depends "
               "on it, found one");
}

TEST_F(PartialRuns, refuseAGradientOfWhatWasAssignedBetweenParts) {
  Variable w = variable(2.0, "w");
  Variable v = variable(5.0, "v");
  Tensor loss = w * w * a;
  Tensor slope = gradients(loss, {w})[0].value * b;
  Assignment up = assignAdd(w, 1.0);
  Assignment other = assignAdd(v, 1.0);
  Session session(graph, options);
  std::string mistake = "expected no assignment of variable 'w' since";
  for (bool isSet : {false, true}) {
    session.run(graph.initializer());
    PartialRun run = session.partialRunSetup({loss, slope}, {a, b});
    session.partialRun(run, loss, {{a, 1}});
    if (isSet)
      session.setValue(w, 7);
    else
      session.run(up);
    EXPECT_ERROR(session.partialRun(run, slope, {{b, 1}}), mistake);
  }
  // Other variables may be assigned.
  session.run(graph.initializer());
  PartialRun run = session.partialRunSetup({loss, slope}, {a, b});
  session.partialRun(run, loss, {{a, 1}});
  session.run(other);
  EXPECT_EQ(session.partialRun(run, slope, {{b, 1}}).scalar(), 4);
}

/// A variable that a body reads has the value of the part that first ran the
/// body.
TEST_F(PartialRuns, differentiateThroughABodyWithWhatItRead) {
  Variable v = variable(3.0, "v");
  Variable w = variable(2.0, "w");
  Tensor loss = cond(a > 0.0, [&] { return v * w; }, [&] { return v + w; });
  Tensor slope = gradients(loss, {v})[0].value * b;
  Assignment up = assignAdd(w, 1.0);
  Session session(graph, options);
  session.run(graph.initializer());
  PartialRun run = session.partialRunSetup({loss, up, slope}, {a, b});
  EXPECT_EQ(session.partialRun(run, loss, {{a, 1}}).scalar(), 6);
  session.partialRun(run, std::vector<Fetch>{up});
  EXPECT_EQ(session.partialRun(run, slope, {{b, 1}}).scalar(), 2);
}
} // namespace
