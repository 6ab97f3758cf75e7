/// Losses and measures: of what is (predictions or logits), then what should be
/// (targets or labels), in this order. Both have one shape, or the target is a
/// number; labels say their shape. Nothing is broadcast: another shape is an
/// error, at run time if not before. All results are scalars unless they say
/// otherwise.
#ifndef TG_NN_LOSS_H
#define TG_NN_LOSS_H

#include "../tensor/functional.h"

#include <functional>

namespace tg {

/// Per row of logits [..., k]: labels are class numbers [...] or distributions
/// [..., k]. The result has the shape of a row's place.
Tensor softmaxCrossEntropy(Operand logits, Operand labels);
/// Its mean over the rows.
Tensor meanSoftmaxCrossEntropy(Operand logits, Operand labels);
/// Elementwise, of logits; the result has their shape.
Tensor sigmoidCrossEntropy(Operand logits, Operand target);

struct CtcOptions {
  /// The class that stands for no label, below 0 counted from the last: 0 as in
  /// PyTorch, -1 as in TensorFlow 1.
  int64_t blank = 0;
};
/// Per example: -log of the probability that softmax(logits [n, t, c]) gives
/// labels [n, l], classes other than the blank, over the first `logitLengths`
/// [n] of the t steps: a step gives a class or the blank, and a label may last
/// for several steps. `labelLengths` [n] says how many labels count; what
/// stands behind them may be anything. [n]; infinity, with a gradient of 0,
/// where the labels need more steps than there are. Lengths above t or l,
/// labels that are no classes, and a blank among those that count, are errors
/// at run time. Graves et al., "Connectionist Temporal Classification", 2006.
Tensor ctcLoss(Operand logits, Operand labels, Operand logitLengths,
               Operand labelLengths, const CtcOptions &options = {});

/// mean((t - p)²), mean|t - p|.
Tensor meanSquaredError(Operand prediction, Operand target);
Tensor meanAbsoluteError(Operand prediction, Operand target);
/// mean of ½e² where |e| <= delta, else of delta · (|e| - ½ delta), with e = t
/// - p; delta > 0. Huber, "Robust Estimation of a Location Parameter", 1964.
Tensor huberLoss(Operand prediction, Operand target, double delta = 1);
/// mean of -(t log p + (1 - t) log(1 - p)), p cut to [1e-6, 1 - 1e-6].
Tensor binaryCrossEntropy(Operand prediction, Operand target);
/// mean(max(0, 1 - t · clip(p, 0, 1))).
Tensor hingeLoss(Operand prediction, Operand target);

/// The share of rows [..., k] whose greatest prediction is that of the label: a
/// class number [...], or a row [..., k] whose greatest element counts. And one
/// less that share.
Tensor accuracy(Operand prediction, Operand label);
Tensor errorRate(Operand prediction, Operand label);
/// Per row of [..., k] classes: are fewer than `count` predictions greater than
/// that of the label, a class number [...]? NaN counts as greater.
Tensor inTopK(Operand prediction, Operand label, int64_t count);

/// Computes precision, recall and their harmonic mean for one-hot rows [n, 2],
/// column 1 being "yes". 0/0 is NaN.
Tensor binaryPrecision(Operand prediction, Operand target);
Tensor binaryRecall(Operand prediction, Operand target);
Tensor binaryF1(Operand prediction, Operand target);

//===-- Images ------------------------------------------------------------===//

/// Computes precision and recall of each image, [n] each, and the mean over
/// images of their harmonic mean, from booleans or probabilities [n, ...]. Sums
/// below 1e-6 count as 1e-6 in divisors, so an image without any has 0.
Tensor imagePrecision(Operand prediction, Operand target);
Tensor imageRecall(Operand prediction, Operand target);
Tensor imageF1(Operand prediction, Operand target);

/// The mean over images [n, ...] of I / (A + B - I + 1e-6), with the sums A of
/// the prediction, B of the target and I of their product; of predictions that
/// are 1 above a threshold and else 0, or of them as they are, which can be
/// learned by.
Tensor intersectionOverUnion(Operand prediction, Operand target,
                             double threshold = 0.5);
Tensor smoothIntersectionOverUnion(Operand prediction, Operand target);

/// Computes the mean over images of 1 - 2 Σ w I / Σ w (A + B), from
/// probabilities [n, ..., c]. A, B and I are the sums of the prediction, of the
/// target and of their product over the places of an image; the outer sums run
/// over the channels and their complements 1 - p, weighted by w = 1 / (B +
/// 0.1)². Sudre et al., "Generalised Dice overlap as a deep learning loss
/// function for highly unbalanced segmentations", 2017.
Tensor generalizedDiceLoss(Operand prediction, Operand target);
/// The mean over channels of 1 - 2I / (A + B), with sums over images, too. A
/// channel that is empty in both counts 1, as it does with any prediction.
Tensor meanDiceLoss(Operand prediction, Operand target);
/// 1 - (2I + smooth) / (A + B + smooth) of the complements, with sums over
/// everything: [...] of any shape.
Tensor inverseDiceLoss(Operand prediction, Operand target, double smooth = 1);

//===-- Weighted ----------------------------------------------------------===//

/// The weights of the parts of a prediction [n, ..., k].
struct LossWeights {
  /// The weights of the k classes. None: 1 each.
  std::vector<double> classes = {};
  /// The weights of the n examples, [n] of the prediction's type. None: 1 each.
  Tensor examples = {};
  /// Divides the sum of all terms by that of the examples' weights, in place
  /// of their number; 0 where these sum up to 0.
  bool normalizes = false;
};

struct FocalOptions {
  LossWeights weights = {};
  /// Each row has the factor (1 - p)^gamma, p the probability of what is right:
  /// the greater gamma, the less what is known already counts. At least 0.
  double gamma = 0;
};
/// The mean over rows [..., k] of softmaxCrossEntropy, of logits and
/// distributions. A row has the weight of its class. Lin et al., "Focal Loss
/// for Dense Object Detection", 2017.
Tensor weightedFocalCrossEntropy(Operand logits, Operand target,
                                 const FocalOptions &options = {});

struct WeightedSigmoidOptions {
  LossWeights weights = {};
  /// The factor of the term of a target of 1, for each class. None: 1.
  std::vector<double> positives = {};
};
/// The mean of sigmoidCrossEntropy over all elements.
Tensor weightedSigmoidCrossEntropy(Operand logits, Operand target,
                                   const WeightedSigmoidOptions &options = {});

struct WeightedDiceOptions {
  LossWeights weights = {};
  /// A prediction counts as 1 of the most likely class: a measure, which
  /// nothing can be learned by.
  bool hard = false;
  /// The exponent of the probabilities.
  double power = 1;
  /// Weights of each example's classes, the lesser of 1 / B² and this; 0 where
  /// B is. 0: 1 each.
  double greatestInverseArea = 0;
  /// The sum over the examples in place of the mean.
  bool sums = false;
};
/// The mean over examples of 1 - 2 Σ w I / Σ w (A + B), of the softmax of
/// logits, with A, B and I summed over places as above. A batch of examples
/// without weight counts 1.
Tensor weightedDiceLoss(Operand logits, Operand target,
                        const WeightedDiceOptions &options = {});

struct WeightedErrorOptions {
  LossWeights weights = {};
  /// The prediction is logits.
  bool appliesSoftmax = true;
};
/// sqrt(mean((t - p)²)) with weights in the mean.
Tensor weightedRootMeanSquaredError(Operand prediction, Operand target,
                                    const WeightedErrorOptions &options = {});
/// mean|t - p|.
Tensor weightedMeanAbsoluteError(Operand prediction, Operand target,
                                 const LossWeights &weights = {});

/// The share of rows [..., k] whose greatest element is where the target's is.
/// A row has the weight of its class.
Tensor weightedAccuracy(Operand prediction, Operand target,
                        const LossWeights &weights = {});
struct BinaryAccuracyOptions {
  LossWeights weights = {};
  double threshold = 0.5;
};
/// The share of elements where sigmoid(logit) is above the threshold if and
/// only if the target is not 0.
Tensor binaryAccuracy(Operand logits, Operand target,
                      const BinaryAccuracyOptions &options = {});

//===-- Networks against each other ---------------------------------------===//

/// The losses of a generator and of its discriminator, each of which is
/// minimized over the variables of its own network.
struct GanLosses {
  Tensor generator, discriminator;
};
/// Computes cross entropies from the discriminator's logits for real examples
/// and for generated ones, of any shape. The generator's loss has the form that
/// does not saturate, -log sigmoid(fake). Goodfellow et al., "Generative
/// Adversarial Nets", 2014.
GanLosses ganLosses(Operand real, Operand fake);
/// ½(fake - 1)², and ½(real - 1)² + ½fake², in the mean. Mao et al., "Least
/// Squares Generative Adversarial Networks", 2017.
GanLosses leastSquaresGanLosses(Operand real, Operand fake);
/// The means -fake, and fake - real; a critic's slope must be bounded, as by
/// gradientPenalty(). Arjovsky et al., "Wasserstein GAN", 2017.
GanLosses wassersteinGanLosses(Operand real, Operand fake);
/// The mean over examples of (|d critic(x) / dx| - norm)², at places x between
/// real and made examples [n, ...] of one shape that are drawn anew in each
/// step; the critic's loss has 10 times that. No gradient leads to the
/// examples. Gulrajani et al., "Improved Training of Wasserstein GANs", 2017.
Tensor gradientPenalty(const std::function<Tensor(Tensor)> &critic,
                       Operand real, Operand fake, double norm = 1);

//===-- Pairs of examples -------------------------------------------------===//

struct TripletLossOptions {
  double margin = 0.2;
  /// Classes, [m] integers, pairs of which are held to be `penalty` further
  /// from what they should be: both of a positive pair, one of a negative pair.
  Tensor penalized = {};
  double penalty = 0;
};
struct TripletLoss {
  Tensor loss, fraction;
};
/// Computes relu(|a - p|² - |a - n|² + margin) of all triplets of examples, a
/// and p of one class and n of another, from embeddings [n, d] and their class
/// numbers [n]. Gives the mean over the triplets above 0, and their part of all
/// triplets; 0 and 0 without triplets. Schroff et al., "FaceNet", 2015; Hermans
/// et al., "In Defense of the Triplet Loss for Person Re-Identification", 2017:
/// batch all. Takes memory for n³ numbers.
TripletLoss tripletLoss(Operand embeddings, Operand labels,
                        const TripletLossOptions &options = {});

struct HistogramLossOptions {
  /// The parts of [-1, 1]. 0: as many as an embedding has elements.
  int64_t bins = 0;
  /// As in TripletLossOptions.
  Tensor penalized = {};
  double penalty = 0;
};
/// Computes the probability that a pair of two classes is at least as similar
/// as a pair of one class, from embeddings [n, d] of length 1 and their class
/// numbers [n]: Σ_i negative_i Σ_{j <= i} positive_j, by histograms of their
/// products; 0 if a kind of pair is missing. A product counts for its two
/// neighbours among the bins + 1 borders of the bins, with a greater weight for
/// the nearer one. Ustinova and Lempitsky, "Learning Deep Embeddings with
/// Histogram Loss", 2016.
Tensor histogramLoss(Operand embeddings, Operand labels,
                     const HistogramLossOptions &options = {});

} // namespace tg

#endif // TG_NN_LOSS_H
