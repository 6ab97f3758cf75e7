// Compares losses of pairs and triplets with loops over them.
#include "../Rows.h"

using namespace tg;
using namespace tg::test;

namespace {
/// Returns five embeddings of four elements and length 1, of the classes 0, 1
/// and 2.
Numbers embeddings() {
  Numbers rows = {1,   0.5, -0.2, 0.1, 0.9, 0.3, 0.4, -0.7, -0.3, 0.8,
                  0.6, 0.2, -0.9, 0.7, 0.1, 0.4, 0.2, -0.5, 0.3,  1};
  for (size_t n = 0; n < 5; ++n) {
    double square = 0;
    for (size_t i = 0; i < 4; ++i)
      square += rows[4 * n + i] * rows[4 * n + i];
    for (size_t i = 0; i < 4; ++i)
      rows[4 * n + i] /= std::sqrt(square);
  }
  return rows;
}

const Elements rows = {embeddings(), {5, 4}};
const Elements labels = {{0, 1, 0, 1, 2}, {5}, i32};
const Elements penalized = {{2, 0}, {2}, i32};

bool isAlike(size_t a, size_t b) {
  return labels.values[a] == labels.values[b];
}
bool isAmong(size_t a) { return labels.values[a] != 1; }

double product(size_t a, size_t b) {
  double sum = 0;
  for (size_t i = 0; i < 4; ++i)
    sum += rows.values[4 * a + i] * rows.values[4 * b + i];
  return sum;
}

/// Returns |a - b|², with the penalty applied to penalized pairs.
double distance(size_t a, size_t b, double penalty) {
  double sum = 2 - 2 * product(a, b);
  if (isAlike(a, b))
    return isAmong(a) && isAmong(b) ? sum + penalty : sum;
  return isAmong(a) || isAmong(b) ? sum - penalty : sum;
}

Numbers expectedTriplets(double margin, double penalty) {
  double sum = 0;
  int above = 0, all = 0;
  for (size_t a = 0; a < 5; ++a)
    for (size_t p = 0; p < 5; ++p)
      for (size_t n = 0; n < 5; ++n) {
        if (a == p || !isAlike(a, p) || isAlike(a, n))
          continue;
        double term =
            distance(a, p, penalty) - distance(a, n, penalty) + margin;
        ++all;
        above += term > 0;
        sum += std::max(term, 0.0);
      }
  return {sum / above, double(above) / all};
}

Numbers triplets(const Elements &of, const Elements &classes, double margin,
                 double penalty, bool penalizes = true) {
  return evaluate({of, classes, penalized}, [=](std::vector<Tensor> x) {
    TripletLossOptions options{.margin = margin, .penalty = penalty};
    if (penalizes)
      options.penalized = x[2];
    TripletLoss loss = tripletLoss(x[0], x[1], options);
    return stack({loss.loss, loss.fraction});
  });
}

TEST(PairLoss, triplets) {
  for (double margin : {0.2, 1., -0.5}) {
    expectNear(triplets(rows, labels, margin, 0, false),
               expectedTriplets(margin, 0));
    for (double penalty : {0., 0.3})
      expectNear(triplets(rows, labels, margin, penalty),
                 expectedTriplets(margin, penalty));
  }
}

TEST(PairLoss, withoutTriplets) {
  Elements alike = {{3, 3, 3, 3, 3}, {5}, i32}, none = {{}, {0, 4}};
  expectNear(triplets(rows, alike, 0.2, 0), {0, 0});
  expectNear(triplets(none, {{}, {0}, i32}, 0.2, 0), {0, 0});
  // With this margin every triplet is far enough apart.
  expectNear(triplets(rows, labels, -100, 0), {0, 0});
}

/// Returns the histogram of the pairs within a class or across classes.
Numbers histogram(bool ofAlike, int bins, double penalty) {
  Numbers found(bins + 1);
  double count = 0;
  for (size_t a = 0; a < 5; ++a)
    for (size_t b = 0; b < a; ++b) {
      if (isAlike(a, b) != ofAlike)
        continue;
      double value = product(a, b);
      if (ofAlike && isAmong(a) && isAmong(b))
        value = std::max(value - penalty, -1.0);
      if (!ofAlike && (isAmong(a) || isAmong(b)))
        value = std::min(value + penalty, 1.0);
      double place = (value + 1) / 2 * bins;
      size_t below = std::min<size_t>(place, bins - 1);
      found[below] += below + 1 - place;
      found[below + 1] += place - below;
      ++count;
    }
  for (double &share : found)
    share /= count;
  return found;
}

Numbers histogramLossOf(const Elements &classes, int64_t bins, double penalty) {
  return evaluate({rows, classes, penalized}, [=](std::vector<Tensor> x) {
    return histogramLoss(x[0], x[1],
                         {.bins = bins, .penalized = x[2], .penalty = penalty});
  });
}

TEST(PairLoss, histograms) {
  // The default number of bins is the number of elements.
  for (int64_t bins : {0, 1, 5, 100})
    for (double penalty : {0., 0.3}) {
      int count = bins == 0 ? 4 : int(bins);
      Numbers alike = histogram(true, count, penalty);
      Numbers other = histogram(false, count, penalty);
      double loss = 0, below = 0;
      for (int i = 0; i <= count; ++i) {
        below += alike[i];
        loss += other[i] * below;
      }
      expectNear(histogramLossOf(labels, bins, penalty), {loss});
    }
}

TEST(PairLoss, histogramsWithoutPairs) {
  expectNear(histogramLossOf({{3, 3, 3, 3, 3}, {5}, i32}, 7, 0), {0});
  expectNear(histogramLossOf({{0, 1, 2, 3, 4}, {5}, i32}, 7, 0), {0});
}

TEST(PairLoss, equalAndOppositeEmbeddings) {
  // Products at the ends of the histogram belong to a single bin.
  Elements ends = {{1, 0, 1, 0, -1, 0}, {3, 2}};
  auto lossOf = [&](const Elements &classes) {
    return evaluate({ends, classes}, [](std::vector<Tensor> x) {
      return histogramLoss(x[0], x[1], {.bins = 4});
    });
  };
  expectNear(lossOf({{0, 0, 1}, {3}, i32}), {0});
  expectNear(lossOf({{0, 1, 0}, {3}, i32}), {1});
}
} // namespace
