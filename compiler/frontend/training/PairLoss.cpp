//===- PairLoss.cpp - losses of pairs and triplets of examples ------------===//
#include "compiler/frontend/training/Targets.h"
#include "tg/graph/program.h"
#include "tg/nn/loss.h"
#include "tg/tensor/sequences.h"

using namespace tg;
using namespace tg::dsl;

namespace {
/// The masks [n, n] of pairs of examples of the same class, and of pairs of
/// examples of different classes.
struct Pairs {
  Tensor isPositive, isNegative;
  /// The masks of penalized pairs; undefined if there are no penalized classes.
  Tensor isPenalizedPositive = {}, isPenalizedNegative = {};
};
} // namespace

/// Throws GraphError unless embeddings and class indices match.
static void expectEmbeddings(const Operand &embeddings, const Operand &labels) {
  if (embeddings.tensor().rank() != 2)
    raiseAt(embeddings, "expected embeddings [n, d], found " +
                            toString(embeddings.tensor().shape()));
  expectClasses(embeddings, labels);
}

/// Returns the mask [n] of the examples of these classes [m].
static Tensor isAmong(const Operand &labels, const Operand &classes) {
  if (classes.tensor().rank() != 1)
    raiseAt(labels, "expected penalized classes [m], found " +
                        toString(classes.tensor().shape()));
  return reduceAny(expandDims(labels, 1) ==
                       cast(classes, labels.tensor().dtype()),
                   {.axes = {1}});
}

static Pairs pairsOf(const Operand &labels, const Tensor &penalized) {
  Tensor index = positions(labels, 0, i64);
  Tensor isOther = expandDims(index, 1) != index;
  Tensor isAlike = expandDims(labels, 1) == labels;
  Pairs pairs{isAlike & isOther, !isAlike};
  if (penalized.isDefined()) {
    Tensor isListed = isAmong(labels, {penalized, labels.where()});
    pairs.isPenalizedPositive =
        pairs.isPositive & (expandDims(isListed, 1) & isListed);
    pairs.isPenalizedNegative =
        pairs.isNegative & (expandDims(isListed, 1) | isListed);
  }
  return pairs;
}

/// Adds `change` to the values of penalized pairs.
static Tensor penalize(const Tensor &values, const Tensor &isPenalized,
                       double change) {
  return isPenalized.isDefined() ? select(isPenalized, values + change, values)
                                 : values;
}

//===----------------------------------------------------------------------===//
// Triplets
//===----------------------------------------------------------------------===//

/// Returns |a - b|² of all pairs of rows. The inner products give exactly 0 for
/// a row and itself.
static Tensor squaredDistances(const Tensor &rows) {
  Tensor products = matmul(rows, rows, {.transposeRhs = true});
  Tensor squares = diagPart(products);
  return relu(expandDims(squares, 1) - 2.0 * products + squares);
}

TripletLoss tg::tripletLoss(Operand embeddings, Operand labels,
                            const TripletLossOptions &options) {
  Scope scope(embeddings);
  expectEmbeddings(embeddings, labels);
  DType dtype = embeddings.tensor().dtype();
  Pairs pairs = pairsOf(labels, options.penalized);
  Tensor distances = squaredDistances(embeddings);
  // [anchor, positive, negative]
  Tensor near = expandDims(
      penalize(distances, pairs.isPenalizedPositive, options.penalty), 2);
  Tensor far = expandDims(
      penalize(distances, pairs.isPenalizedNegative, -options.penalty), 1);
  Tensor isTriplet =
      expandDims(pairs.isPositive, 2) & expandDims(pairs.isNegative, 1);
  Tensor terms = select(isTriplet, relu(near - far + options.margin), 0.0);
  Tensor above = reduceSum(cast(terms > 1e-16, dtype));
  Tensor all = reduceSum(cast(isTriplet, dtype));
  return {reduceSum(terms) / maximum(above, 1.0), above / maximum(all, 1.0)};
}

//===----------------------------------------------------------------------===//
// Histograms
//===----------------------------------------------------------------------===//

/// Returns the histogram [bins + 1] of the similarities of the given pairs,
/// where each unordered pair counts once.
static Tensor histogramOf(const Tensor &similarities, const Tensor &isPair,
                          int64_t bins) {
  DType dtype = similarities.dtype();
  Tensor counts = bandPart(cast(isPair, dtype), -1, 0);
  Tensor position =
      (clip(similarities, -1.0, 1.0) + 1.0) * (static_cast<double>(bins) / 2);
  Tensor borders = Program::of(similarities).range(bins + 1, dtype);
  Tensor weight = relu(1.0 - abs(expandDims(position, -1) - borders));
  Tensor sums = reduceSum(weight * expandDims(counts, -1), {.axes = {0, 1}});
  return sums / maximum(reduceSum(counts), 1.0);
}

Tensor tg::histogramLoss(Operand embeddings, Operand labels,
                         const HistogramLossOptions &options) {
  Scope scope(embeddings);
  expectEmbeddings(embeddings, labels);
  int64_t bins =
      options.bins != 0 ? options.bins : extentList(embeddings).back();
  if (bins < 1)
    raiseAt(embeddings, "expected at least 1 bin, found " +
                            (options.bins != 0 ? std::to_string(options.bins)
                                               : "none and embeddings of an "
                                                 "unknown number of elements"));
  Pairs pairs = pairsOf(labels, options.penalized);
  Tensor products = matmul(embeddings, embeddings, {.transposeRhs = true});
  Tensor positive = histogramOf(
      penalize(products, pairs.isPenalizedPositive, -options.penalty),
      pairs.isPositive, bins);
  Tensor negative = histogramOf(
      penalize(products, pairs.isPenalizedNegative, options.penalty),
      pairs.isNegative, bins);
  // Row i is true up to column i.
  Tensor index = positions(positive, 0, i64);
  Tensor isBefore = expandDims(index, 1) >= index;
  Tensor cumulative = reduceSum(select(isBefore, positive, 0.0), {.axes = {1}});
  return reduceSum(negative * cumulative);
}
