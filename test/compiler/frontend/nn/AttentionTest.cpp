//===- AttentionTest.cpp - attention layers -------------------------------===//
#include "OneLayer.h"

using namespace tg;
using namespace tg::test;

using Floats = std::vector<float>;

// Two examples of two rows of four numbers; `others` are half of the rows in
// reverse order. The expected values below are from PyTorch 2:
// scaled_dot_product_attention, and nn.MultiheadAttention(4, 2,
// batch_first=True) with these weights transposed.
static const Floats rows = {1, 2, 3, 6, 0, -1, 4, 2, 2, 2, 0, -4, 5, 1, 1, 3};
static const Floats others = {0,   -0.5, 2,   1,   0.5, 1, 1.5, 3,
                              2.5, 0.5,  0.5, 1.5, 1,   1, 0,   -2};

namespace {
/// A layer in a program that calls it with one or with two sequences of rows.
struct Attentive {
  Program program{"test"};
  Tensor x = program.input("x", f32, {dim("n"), dim("t"), 4});
  Tensor y = program.input("y", f32, {dim("n"), dim("s"), 4});
  Context context;

  Attentive(Layer layer, bool alone) : context(make(layer, alone)) {}

  Context make(const Layer &layer, bool alone) {
    Tensor output = alone ? layer(x) : layer(x, y, y);
    program.function("run",
                     {.inputs = {x, y}, .outputs = {{"output", output}}});
    return makeContext(program);
  }
  Floats run() {
    std::vector<int64_t> shape = {2, 2, 4};
    std::span<const float> output =
        context
            .run("run",
                 {{"x", Value(rows, shape)}, {"y", Value(others, shape)}})
            .values<float>("output");
    return {output.begin(), output.end()};
  }
};

/// Attention with two heads and known weights.
struct Heads : Attentive {
  Heads(bool causal, bool alone)
      : Attentive(MultiHeadAttention({.heads = 2, .causal = causal}), alone) {
    set("query", 0.1f,
        {-0.5, 0.0, 0.5, -0.25, 0.25, -0.5, 0.0, 0.5, -0.25, 0.25, -0.5, 0.0,
         0.5, -0.25, 0.25, -0.5});
    set("key", 0.2f,
        {-0.75, 0.0, 0.75, -0.25, 0.5, -0.5, 0.25, -0.75, 0.0, 0.75, -0.25, 0.5,
         -0.5, 0.25, -0.75, 0.0});
    set("value", 0.3f,
        {-1.0, 0.25, -0.75, 0.5, -0.5, 0.75, -0.25, 1.0, 0.0, -1.0, 0.25, -0.75,
         0.5, -0.5, 0.75, -0.25});
    set("output", 0.4f,
        {-1.25, -0.75, -0.25, 0.25, 0.75, 1.25, -1.0, -0.5, 0.0, 0.5, 1.0,
         -1.25, -0.75, -0.25, 0.25, 0.75});
  }
  void set(const std::string &part, float bias, const Floats &weight) {
    std::string path = "test/MultiHeadAttention_1/" + part;
    context.set(path + "_weight", weight);
    context.set(path + "_bias", Floats{bias, -bias, bias / 2, 0});
  }
};
} // namespace

TEST(AttentionTest, WeighsValuesByKeys) {
  expectNear(Attentive(Attention(), false).run(),
             {0.499545f, 0.998634f, 1.500456f, 2.998178f, 0.281088f, 0.343265f,
              1.718912f, 2.124353f, 1.003709f, 0.998764f, 0.001236f, -1.991346f,
              2.499815f, 0.500062f, 0.499938f, 1.499568f});
  expectNear(Attentive(Attention({.causal = true}), false).run(),
             {0.0f, -0.5f, 2.0f, 1.0f, 0.281088f, 0.343265f, 1.718912f,
              2.124353f, 2.5f, 0.5f, 0.5f, 1.5f, 2.499815f, 0.500062f,
              0.499938f, 1.499568f});
}

TEST(AttentionTest, TakesAMask) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 2, 4});
  Tensor mask = program.eye(2) > 0.0;
  program.function(
      "run", {.inputs = {x},
              .outputs = {
                  {"alone", Attention()(x, x, x, mask)},
                  {"heads", MultiHeadAttention({.heads = 2})(x, x, x, mask)}}});
  Context context = makeContext(program);
  const Outputs &found = context.run("run", {{"x", Value(rows, {2, 2, 4})}});
  std::span<const float> alone = found.values<float>("alone");
  expectNear(Floats(alone.begin(), alone.end()), rows);
  EXPECT_EQ(found.shape("heads")[2], 4);
}

TEST(MultiHeadAttentionTest, IsThatOfPyTorch) {
  expectNear(Heads(false, true).run(),
             {-4.732206f, -6.042081f, 9.071521f, -3.004235f, -4.827087f,
              -6.157671f, 9.146391f, -2.957541f, 2.447217f, -0.516691f,
              0.119022f, 4.534292f, 2.174535f, -1.016777f, -2.611829f,
              8.130112f});
  expectNear(Heads(true, true).run(),
             {-3.7f, -4.675001f, 8.2625f, -3.525f, -4.827087f, -6.157671f,
              9.146391f, -2.957541f, 6.05f, 4.324999f, -6.175f, 6.0375f,
              2.174535f, -1.016777f, -2.611829f, 8.130112f});
  expectNear(Heads(false, false).run(),
             {-2.307736f, -3.414557f, 4.692098f, -1.546844f, -2.341215f,
              -3.445791f, 4.718993f, -1.531482f, 1.07064f, -0.801838f,
              0.204145f, 2.536072f, 1.334028f, -0.491084f, -1.292969f,
              3.845371f});
}

TEST(MultiHeadAttentionTest, RefusesOtherShapes) {
  Program program("test");
  Tensor x = program.input("x", f32, {dim("n"), 4});
  Tensor y = program.input("y", f32, {dim("n"), 3, 4});
  EXPECT_EQ(errorOf([&] { MultiHeadAttention()(x); }),
            "'MultiHeadAttention_1': expected rows of examples [n, t, d], "
            "found [n, 4]");
  EXPECT_EQ(errorOf([&] { MultiHeadAttention({.heads = 3})(y); }),
            "'MultiHeadAttention_2': expected a number of heads that divides "
            "the width of the query "
            "(4), found 3");
  EXPECT_EQ(
      errorOf([&] { MultiHeadAttention({.heads = 0}); }),
      "expected at least 1 head and a head size of at least 0, found 0 and 0");
  EXPECT_EQ(errorOf([&] { Attention()(y, y, y, y, y); }),
            "'Attention_1': expected a query, a key, a value and a mask or "
            "lengths at most, found 5 inputs");
}
