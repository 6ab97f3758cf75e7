// Tests merge modes.
#include "../Evaluator.h"
#include "tg/tg.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tg;

namespace {
/// Returns the result of a node that merges a [2, 3] tensor and another tensor.
std::vector<double> merge(Merge merge, Elements second, Shape secondShape,
                          int64_t rank = 2) {
  Program program("p");
  Shape shape = {dim("n"), 3};
  for (int64_t i = 2; i < rank; ++i)
    shape.push_back(2);
  Tensor a = program.input("a", f32, shape);
  Tensor b = program.input("b", second.dtype, secondShape);
  StartNode s1({a}), s2({b});
  HiddenNode join({s1, s2}, merge);
  Tensor y = Graph({s1, s2}, {EndNode({join})}).testFprop().front();
  program.function("f", {.inputs = {a, b}, .outputs = {{"y", y}}});
  Evaluator evaluator(program.text());
  Elements first{{}, {2, 3}};
  for (int64_t i = 2; i < rank; ++i)
    first.shape.push_back(2);
  for (int i = 0; i < (rank == 2 ? 6 : 12); ++i)
    first.values.push_back(i + 1);
  std::vector<Elements> outputs = evaluator.run("f", {first, second});
  EXPECT_EQ(evaluator.error(), "");
  return outputs.empty() ? std::vector<double>() : outputs[0].values;
}

using Numbers = std::vector<double>;
const Elements tens{{10, 20, 30, 40, 50, 60}, {2, 3}};
const Shape rows = {dim("n"), 3};

TEST(Merge, addsAndAverages) {
  EXPECT_EQ(merge(Sum(), tens, rows), (Numbers{11, 22, 33, 44, 55, 66}));
  EXPECT_EQ(merge(Mean(), tens, rows), (Numbers{5.5, 11, 16.5, 22, 27.5, 33}));
}

TEST(Merge, multipliesWithBroadcasting) {
  EXPECT_EQ(merge(Multiply(), {{2, 3}, {2, 1}}, {dim("n"), 1}),
            (Numbers{2, 4, 6, 12, 15, 18}));
}

TEST(Merge, concatenates) {
  EXPECT_EQ(merge(Concat(), tens, rows),
            (Numbers{1, 2, 3, 10, 20, 30, 4, 5, 6, 40, 50, 60}));
  EXPECT_EQ(merge(Concat({.axis = 0}), tens, rows),
            (Numbers{1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60}));
}

/// A custom merge: twice the sum.
class Twice : public BaseMerge {
public:
  std::vector<Tensor> merge(const std::vector<Tensor> &inputs,
                            std::source_location where) const override {
    return {2.0 * Sum().merge(inputs, where).front()};
  }
};

TEST(Merge, ofOnesOwn) {
  EXPECT_EQ(merge(Twice(), tens, rows), (Numbers{22, 44, 66, 88, 110, 132}));
}

TEST(Merge, selects) {
  EXPECT_EQ(merge(Select({.index = 1}), tens, rows), tens.values);
  EXPECT_THROW(merge(Select({.index = 2}), tens, rows), GraphError);
}

TEST(Merge, masksSequences) {
  Elements lengths{{2, 0}, {2}, i32};
  EXPECT_EQ(merge(SequenceMask(), lengths, {dim("n")}),
            (Numbers{1, 2, 0, 0, 0, 0}));
  EXPECT_EQ(merge(SequenceMask(), lengths, {dim("n")}, 3),
            (Numbers{1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Merge, softmaxOverTheFirstUnits) {
  Numbers y = merge(MaskSoftmax(), {{2, 0}, {2}, i64}, {dim("n")});
  EXPECT_NEAR(y[0] + y[1], 1, 1e-6);
  EXPECT_NEAR(y[1] / y[0], std::exp(1), 1e-5);
  EXPECT_EQ(Numbers(y.begin() + 2, y.end()), (Numbers{0, 0, 0, 0}));
}

TEST(Merge, softmaxOverSelectedUnits) {
  Numbers y = merge(SelectedMaskSoftmax(), {{1, 0, 1}, {3}}, {3});
  EXPECT_NEAR(y[0] + y[2], 1, 1e-6);
  EXPECT_EQ(y[1], 0);
  EXPECT_NEAR(y[3] + y[5], 1, 1e-6);
}

TEST(Merge, ofSeveralOutputsOfOneEndGivesThemAll) {
  Program program("p");
  Tensor a = program.input("a", f32, {2});
  Tensor b = program.input("b", f32, {3});
  StartNode s1({a}), s2({b});
  EXPECT_EQ(Graph({s1, s2}, {EndNode({s1, s2})}).trainFprop().size(), 2u);
}
} // namespace
