// Tests positions, ranges, slices of run-time sizes, sequences of several
// lengths and sparse matrices: values and errors.
#include "../Rows.h"

using namespace tg;
using namespace tg::test;

namespace {
using Dims = std::vector<int64_t>;

/// Runs a program on inputs that are declared with the given shapes, or with
/// dynamic extents if `unknown`.
struct Ran {
  std::vector<Elements> outputs;
  std::string error;

  Ran(const std::vector<Elements> &inputs,
      const std::function<Tensor(std::vector<Tensor>)> &function,
      bool unknown = true) {
    Program program("p");
    program.onWarning({});
    std::vector<Tensor> tensors;
    for (const Elements &input : inputs) {
      std::string name = "x" + std::to_string(tensors.size());
      Shape shape(input.shape.begin(), input.shape.end());
      for (size_t axis = 0; unknown && axis < shape.size(); ++axis)
        shape[axis] = dim(name + std::to_string(axis));
      tensors.push_back(program.input(name, input.dtype, shape));
    }
    program.function(
        "f", {.inputs = tensors, .outputs = {{"y", function(tensors)}}});
    Evaluator evaluator(program.text());
    outputs = evaluator.run("f", inputs);
    error = evaluator.error();
  }

  Numbers values() const {
    EXPECT_EQ(error, "");
    return outputs.empty() ? Numbers() : outputs[0].values;
  }
};

Elements listOf(Numbers values, DType dtype = i64) {
  int64_t count = int64_t(values.size());
  return {std::move(values), {count}, dtype};
}

Elements scalarOf(double value) { return {{value}, {}, i64}; }

const Elements kRows = {{-2, -1, 0, 1, 2, 3}, {2, 3}, f32};

TEST(Sequences, positionsOfAnyExtent) {
  for (bool unknown : {true, false}) {
    EXPECT_EQ(Ran(
                  {kRows}, [](auto x) { return positions(x[0]); }, unknown)
                  .values(),
              (Numbers{0, 1}));
    Ran last({kRows}, [](auto x) { return positions(x[0], -1, f32); }, unknown);
    EXPECT_EQ(last.values(), (Numbers{0, 1, 2}));
    EXPECT_EQ(last.outputs[0].dtype, f32);
  }
}

TEST(Sequences, rangesToWhatARunKnows) {
  EXPECT_EQ(Ran({kRows}, [](auto x) { return range(extentOf(x[0], 1) * 2.0); })
                .values(),
            (Numbers{0, 1, 2, 3, 4, 5}));
  auto limited = [](auto x) { return range(x[0], {.dtype = i32, .max = 4}); };
  EXPECT_EQ(Ran({scalarOf(3)}, limited).values(), (Numbers{0, 1, 2}));
  EXPECT_EQ(Ran({scalarOf(0)}, limited).values(), Numbers{});
  EXPECT_NE(Ran({scalarOf(5)}, limited).error.find("to lie in dim 0 (4)"),
            std::string::npos);
  Program program("p");
  EXPECT_THROW(range(program.input("x", f32, {})), GraphError);
  EXPECT_THROW(range(program.input("y", i64, {2})), GraphError);
  EXPECT_THROW(range(program.input("z", i64, {}), {.max = -1}), GraphError);
}

TEST(Sequences, slicesOfSizesThatARunKnows) {
  auto sized = [](auto x) {
    return slice(x[0], {.starts = {0, x[1]}, .sizes = {-1, x[2]}});
  };
  for (bool unknown : {true, false}) {
    Ran found({kRows, scalarOf(1), scalarOf(2)}, sized, unknown);
    EXPECT_EQ(found.values(), (Numbers{-1, 0, 2, 3}));
    EXPECT_EQ(found.outputs[0].shape, (Dims{2, 2}));
    EXPECT_NE(Ran({kRows, scalarOf(2), scalarOf(2)}, sized, unknown).error, "");
  }
  EXPECT_EQ(Ran({kRows, scalarOf(2)},
                [](auto x) {
                  return slice(x[0], {.starts = {0, 0},
                                      .sizes = {x[1], -1},
                                      .strides = {1, 2}});
                })
                .values(),
            (Numbers{-2, 0, 1, 3}));
}

TEST(Sequences, slicesByLists) {
  auto listed = [](auto x) {
    return slice(x[0], ensureShape(x[1], {2}), ensureShape(x[2], {2}));
  };
  Ran all({kRows, listOf({0, 1}), listOf({-1, -1}, i32)}, listed);
  EXPECT_EQ(all.values(), (Numbers{-1, 0, 2, 3}));
  Ran one({kRows, listOf({1, 0}), listOf({1, 3})}, listed);
  EXPECT_EQ(one.values(), (Numbers{1, 2, 3}));
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  Tensor two = program.input("two", i64, {2});
  Tensor three = program.input("three", i64, {3});
  EXPECT_THROW(slice(x, three, two), GraphError);
  EXPECT_THROW(slice(x, two, cast(two, f32)), GraphError);
  EXPECT_THROW(slice(x, {.starts = {0, 0}, .sizes = {1.5, 1}}), GraphError);
}

//===-- Sequences of several lengths --------------------------------------===//

/// Computes the formula element by element, for sequences [n, t, d] along
/// dimension 0.
Numbers reversedByHand(const Numbers &x, Dims shape, const Numbers &lengths) {
  Numbers y = x;
  for (int64_t n = 0; n < shape[0]; ++n)
    for (int64_t t = 0; t < int64_t(lengths[n]); ++t)
      for (int64_t d = 0; d < shape[2]; ++d)
        y[(n * shape[1] + t) * shape[2] + d] =
            x[(n * shape[1] + int64_t(lengths[n]) - 1 - t) * shape[2] + d];
  return y;
}

TEST(Sequences, reverseTheirFirstSteps) {
  Numbers x(24);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = double(i);
  Numbers lengths = {3, 0, 1};
  Elements input = {x, {3, 4, 2}, f32};
  Elements counts = listOf(lengths, i32);
  Numbers expected = reversedByHand(x, {3, 4, 2}, lengths);
  for (bool unknown : {true, false}) {
    EXPECT_EQ(Ran(
                  {input, counts},
                  [](auto x) { return reverseSequence(x[0], x[1]); }, unknown)
                  .values(),
              expected);
    // The same with the time dimension first, and with the sequences last.
    for (Dims order : {Dims{1, 0, 2}, Dims{2, 1, 0}, Dims{1, 2, 0}}) {
      Dims back(3);
      for (int64_t i = 0; i < 3; ++i)
        back[order[i]] = i;
      EXPECT_EQ(Ran(
                    {input, counts},
                    [=](auto x) {
                      Tensor turned = reverseSequence(
                          transpose(x[0], order), x[1],
                          {.axis = back[1], .batchAxis = back[0]});
                      return transpose(turned, back);
                    },
                    unknown)
                    .values(),
                expected);
    }
  }
}

TEST(Sequences, refuseLengthsThatAreNone) {
  Elements input = {Numbers(6), {2, 3}, f32};
  auto turned = [](auto x) { return reverseSequence(x[0], x[1]); };
  EXPECT_NE(Ran({input, listOf({4, 1})}, turned).error.find("[R1]"),
            std::string::npos);
  Program program("p");
  Tensor x = program.input("x", f32, {dim("n"), 3});
  EXPECT_THROW(reverseSequence(x, x), GraphError);
  EXPECT_THROW(reverseSequence(x, program.input("l", i64, {dim("n")}),
                               {.axis = 0, .batchAxis = -2}),
               GraphError);
}

TEST(Sequences, sinusoidsOfPositions) {
  Numbers found = Ran({kRows}, [](auto x) {
                    return sinusoids(positions(x[0], 1), 4);
                  }).values();
  Numbers expected;
  for (double p : {0., 1., 2.})
    for (double rate : {1., 0.01}) {
      expected.push_back(std::sin(p * rate));
      expected.push_back(std::cos(p * rate));
    }
  expectNear(found, expected);
  Program program("p");
  EXPECT_THROW(sinusoids(program.range(3), 3), GraphError);
  EXPECT_THROW(sinusoids(program.range(3), 4, i32), GraphError);
}

//===-- Sparse matrices ---------------------------------------------------===//

const Elements kPlaces = {{0, 0, 1, 2, 1, 2, 3, 0}, {4, 2}, i64};

TEST(Sequences, sparseProducts) {
  // Row 1 has two elements at one position, row 2 has none.
  Elements values = {{5, 6, 0.5, -1}, {4}, f32};
  Elements dense = {{1, 2, 3, 4, 5, 6}, {3, 2}, f32};
  auto product = [](auto x) {
    return sparseTensorDenseMatmul({x[0], x[1], {4, 3}}, x[2]);
  };
  EXPECT_EQ(Ran({kPlaces, values, dense}, product, false).values(),
            (Numbers{5, 10, 32.5, 39, 0, 0, -1, -2}));
  Elements outside = kPlaces;
  outside.values[3] = 3;
  EXPECT_NE(Ran({outside, values, dense}, product, false).error, "");
  outside.values[3] = 2;
  outside.values[2] = 4;
  EXPECT_NE(Ran({outside, values, dense}, product, false).error, "");
  Program program("p");
  Tensor places = program.input("i", i64, {dim("k"), 2});
  Tensor list = program.input("v", f32, {dim("k")});
  Tensor matrix = program.input("d", f32, {3, 2});
  EXPECT_THROW(sparseTensorDenseMatmul({places, list, {4, 5}}, matrix),
               GraphError);
  EXPECT_THROW(sparseTensorDenseMatmul({places, list, {4}}, matrix),
               GraphError);
  EXPECT_THROW(sparseTensorDenseMatmul({list, list, {4, 3}}, matrix),
               GraphError);
  EXPECT_THROW(sparseTensorDenseMatmul({places, Tensor(), {4, 3}}, matrix),
               GraphError);
}

TEST(Sequences, sparseLookups) {
  Elements table = {{1, 2, 3, 4, 5, 6}, {3, 2}, f32};
  Elements ids = {{0, 2, 1, 2}, {4}, i32}, weights = {{2, 1, 3, 4}, {4}, f32};
  auto lookUp = [](Combiner combiner, bool weighted) {
    return [=](auto x) {
      LookupOptions options{.combiner = combiner};
      if (weighted)
        options.weights = x[3];
      return embeddingLookupSparse(x[0], {x[1], x[2], {4, 3}}, options);
    };
  };
  auto of = [&](Combiner combiner, bool weighted) {
    return Ran({table, kPlaces, ids, weights}, lookUp(combiner, weighted),
               false)
        .values();
  };
  EXPECT_EQ(of(Combiner::sum, false), (Numbers{1, 2, 8, 10, 0, 0, 5, 6}));
  EXPECT_EQ(of(Combiner::sum, true), (Numbers{2, 4, 14, 18, 0, 0, 20, 24}));
  expectNear(of(Combiner::mean, false), {1, 2, 4, 5, 0, 0, 5, 6});
  expectNear(of(Combiner::mean, true), {1, 2, 3.5, 4.5, 0, 0, 5, 6});
  double root = std::sqrt(10.);
  expectNear(of(Combiner::sqrtn, true),
             {1, 2, 14 / root, 18 / root, 0, 0, 5, 6});
}
} // namespace
