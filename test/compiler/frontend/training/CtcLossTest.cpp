// Compares ctcLoss with the sum over all paths, one by one, and its gradient
// with central differences of that sum.
#include "../Rows.h"

#include <limits>
#include <random>

using namespace tg;
using namespace tg::test;

namespace {
/// Sequences [n, t, c] with labels [n, l].
struct Batch {
  int64_t examples = 5, steps = 4, classes = 3, width = 3;
  Numbers logits, labels, logitLengths, labelLengths;
  int64_t blank = 0;

  explicit Batch(int64_t blank = 0) : blank(blank) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-2, 2);
    for (int64_t i = 0; i < examples * steps * classes; ++i)
      logits.push_back(uniform(random));
    // a and b are the classes other than blank. The labels past their length
    // are arbitrary.
    double a = blank == 0 ? 1 : 0, b = blank == 2 ? 1 : 2;
    labels = {a, b, -7, a, a, 99, b, -1, -1, a, b, a, a, a, a};
    labelLengths = {2, 2, 0, 3, 3};
    logitLengths = {4, 4, 3, 4, 4};
  }

  /// Returns the loss of an example. Its probability is the sum over all paths
  /// that yield the labels after repeated classes and then blanks are removed.
  double loss(int64_t example) const {
    int64_t length = int64_t(logitLengths[example]);
    int64_t paths = 1;
    for (int64_t t = 0; t < length; ++t)
      paths *= classes;
    double sum = 0;
    for (int64_t path = 0; path < paths; ++path)
      if (labelsOf(path, length) == wanted(example))
        sum += probability(example, path, length);
    return -std::log(sum);
  }

private:
  Numbers wanted(int64_t example) const {
    auto begin = labels.begin() + example * width;
    return {begin, begin + int64_t(labelLengths[example])};
  }

  Numbers labelsOf(int64_t path, int64_t length) const {
    Numbers found;
    int64_t before = blank;
    for (int64_t t = 0; t < length; ++t, path /= classes) {
      int64_t now = path % classes;
      if (now != blank && (t == 0 || now != before))
        found.push_back(double(now));
      before = now;
    }
    return found;
  }

  double probability(int64_t example, int64_t path, int64_t length) const {
    double product = 1;
    for (int64_t t = 0; t < length; ++t, path /= classes) {
      const double *row = &logits[(example * steps + t) * classes];
      double sum = 0;
      for (int64_t c = 0; c < classes; ++c)
        sum += std::exp(row[c]);
      product *= std::exp(row[path % classes]) / sum;
    }
    return product;
  }
};

/// The losses of a batch, and the gradient of the sum of the finite losses.
struct Found {
  Numbers losses, slopes;
  std::string error;

  Found(const Batch &batch, DType dtype, bool unknown, int64_t blank) {
    Program program("p");
    auto extent = [&](int64_t number, const char *name) {
      return unknown ? dim(name) : Extent(number);
    };
    Extent n = extent(batch.examples, "n");
    Extent t = extent(batch.steps, "t");
    Extent l = extent(batch.width, "l");
    Tensor logits = program.input("logits", dtype, {n, t, batch.classes});
    Tensor labels = program.input("labels", i32, {n, l});
    Tensor logitLengths = program.input("logitLengths", i32, {n});
    Tensor labelLengths = program.input("labelLengths", i64, {n});
    Tensor loss =
        ctcLoss(logits, labels, logitLengths, labelLengths, {.blank = blank});
    Tensor sum = reduceSum(loss);
    program.function("f",
                     {.inputs = {logits, labels, logitLengths, labelLengths},
                      .outputs = {{"losses", loss},
                                  {"slopes", gradientsOf(sum, {logits})[0]}}});
    Evaluator evaluator(program.text());
    std::vector<Elements> outputs = evaluator.run(
        "f",
        {{batch.logits, {batch.examples, batch.steps, batch.classes}, dtype},
         {batch.labels, {batch.examples, batch.width}, i32},
         {batch.logitLengths, {batch.examples}, i32},
         {batch.labelLengths, {batch.examples}, i64}});
    error = evaluator.error();
    if (outputs.empty())
      return;
    losses = outputs[0].values;
    slopes = outputs[1].values;
  }
};

void expectPaths(Batch batch, int64_t blank, bool unknown) {
  Found found(batch, f64, unknown, blank);
  ASSERT_EQ(found.error, "");
  for (int64_t i = 0; i < batch.examples; ++i) {
    double loss = batch.loss(i);
    if (std::isinf(loss))
      EXPECT_EQ(found.losses[i], loss);
    else
      EXPECT_NEAR(found.losses[i], loss, 1e-12) << "of example " << i;
  }
  int64_t perExample = batch.steps * batch.classes;
  for (size_t i = 0; i < batch.logits.size(); ++i) {
    int64_t example = int64_t(i) / perExample;
    double at = batch.logits[i], sides[2];
    for (int side : {0, 1}) {
      batch.logits[i] = at + (side ? 1e-5 : -1e-5);
      sides[side] = batch.loss(example);
    }
    batch.logits[i] = at;
    double slope = std::isinf(sides[0]) ? 0 : (sides[1] - sides[0]) / 2e-5;
    EXPECT_NEAR(found.slopes[i], slope, 1e-8) << "at " << i;
  }
}
} // namespace

TEST(CtcLoss, isTheSumOverAllPaths) {
  // The labels a a a of the last example need five steps.
  EXPECT_TRUE(std::isinf(Batch().loss(4)));
  for (bool unknown : {true, false}) {
    expectPaths(Batch(0), 0, unknown);
    expectPaths(Batch(2), -1, unknown);
    expectPaths(Batch(1), 1, unknown);
  }
}

TEST(CtcLoss, isStableWhereProbabilitiesUnderflow) {
  Batch batch;
  for (double &logit : batch.logits)
    logit *= 500;
  Found narrow(batch, f32, true, 0), wide(batch, f64, true, 0);
  for (int64_t i = 0; i + 1 < batch.examples; ++i) {
    EXPECT_GT(wide.losses[i], 0);
    EXPECT_NEAR(narrow.losses[i], wide.losses[i], 1e-3 + 1e-5 * wide.losses[i]);
  }
  EXPECT_TRUE(std::isinf(narrow.losses[4]));
  for (double slope : narrow.slopes)
    EXPECT_TRUE(std::isfinite(slope));
}

TEST(CtcLoss, isNanForLogitsThatAreNan) {
  Batch batch;
  batch.logits[0] = std::numeric_limits<double>::quiet_NaN();
  Found found(batch, f64, true, 0);
  EXPECT_TRUE(std::isnan(found.losses[0]));
  EXPECT_NEAR(found.losses[1], batch.loss(1), 1e-12) << "of another example";
}

TEST(CtcLoss, refusesLengthsAndLabelsThatAreNone) {
  Batch longer, further, label;
  longer.logitLengths[1] = 5;
  further.labelLengths[0] = 4;
  label.labels[0] = 3;
  for (const Batch &batch : {longer, further, label})
    EXPECT_NE(Found(batch, f32, true, 0).error.find("[R1]"), std::string::npos);
  Batch blank;
  blank.labels[0] = 0;
  EXPECT_NE(Found(blank, f32, true, 0)
                .error.find("expected labels other than the blank, 0"),
            std::string::npos);
}

TEST(CtcLoss, namesWhatDoesNotFit) {
  Program program("p");
  Tensor logits = program.input("x", f32, {dim("n"), dim("t"), 4});
  Tensor labels = program.input("labels", i32, {dim("n"), dim("l")});
  Tensor lengths = program.input("lengths", i32, {dim("n")});
  EXPECT_THROW(ctcLoss(labels, labels, lengths, lengths), GraphError);
  EXPECT_THROW(ctcLoss(logits, lengths, lengths, lengths), GraphError);
  EXPECT_THROW(ctcLoss(logits, labels, labels, lengths), GraphError);
  EXPECT_THROW(ctcLoss(logits, labels, lengths, lengths, {.blank = 4}),
               GraphError);
}
