/// Losses and metrics. The first argument is the prediction or the logits, the
/// second the target or the labels. Both have the same shape, or the target is
/// a number; functions that take labels document their shape. Nothing is
/// broadcast: a different shape is an error, at run time at the latest. All
/// results are scalars unless documented otherwise.
#ifndef TG_NN_LOSS_H
#define TG_NN_LOSS_H

#include "../tensor/functional.h"

#include <functional>

namespace tg {

/// Computes the softmax cross entropy of each row of logits [..., k]. Labels
/// are class indices [...] or distributions [..., k]. Returns [...].
Tensor softmaxCrossEntropy(Operand logits, Operand labels);
/// Computes the mean of softmaxCrossEntropy() over the rows.
Tensor meanSoftmaxCrossEntropy(Operand logits, Operand labels);
/// Computes the sigmoid cross entropy of each logit. Returns the shape of the
/// logits.
Tensor sigmoidCrossEntropy(Operand logits, Operand target);

struct CtcOptions {
  /// The index of the blank class. Negative indices count from the end: 0 as in
  /// PyTorch, -1 as in TensorFlow 1.
  int64_t blank = 0;
};
/// Computes the connectionist temporal classification loss of each example,
/// [n]: -log of the probability of labels [n, l] under softmax(logits [n, t,
/// c]) over the first `logitLengths` [n] of the t steps. Each step emits a
/// class or the blank, and a label may extend over several steps. Labels are
/// classes other than the blank. `labelLengths` [n] is the number of valid
/// labels per example; labels after that may have any value. The loss is
/// infinity, with a gradient of 0, if the labels need more steps than there
/// are. Lengths above t or l, labels that are not classes, and a blank among
/// the valid labels are errors at run time. Graves et al., "Connectionist
/// Temporal Classification", 2006.
Tensor ctcLoss(Operand logits, Operand labels, Operand logitLengths,
               Operand labelLengths, const CtcOptions &options = {});

/// Computes mean((t - p)²) and mean|t - p|, respectively.
Tensor meanSquaredError(Operand prediction, Operand target);
Tensor meanAbsoluteError(Operand prediction, Operand target);
/// Computes the mean of ½e² where |e| <= delta, and of delta · (|e| - ½ delta)
/// elsewhere, with e = t - p and delta > 0. Huber, "Robust Estimation of a
/// Location Parameter", 1964.
Tensor huberLoss(Operand prediction, Operand target, double delta = 1);
/// Computes the mean of -(t log p + (1 - t) log(1 - p)), with p clipped to
/// [1e-6, 1 - 1e-6].
Tensor binaryCrossEntropy(Operand prediction, Operand target);
/// Computes mean(max(0, 1 - t · clip(p, 0, 1))).
Tensor hingeLoss(Operand prediction, Operand target);

/// Computes the fraction of rows [..., k] whose greatest prediction is at the
/// label, and 1 minus that fraction, respectively. The label is a class index
/// [...], or a row [..., k] whose greatest element marks the class.
Tensor accuracy(Operand prediction, Operand label);
Tensor errorRate(Operand prediction, Operand label);
/// Returns for each row of [..., k] true if fewer than `count` predictions are
/// greater than the prediction of the label, a class index [...]. NaN counts as
/// greater.
Tensor inTopK(Operand prediction, Operand label, int64_t count);

/// Computes precision, recall and their harmonic mean for one-hot rows [n, 2].
/// Column 1 is the positive class. 0/0 is NaN.
Tensor binaryPrecision(Operand prediction, Operand target);
Tensor binaryRecall(Operand prediction, Operand target);
Tensor binaryF1(Operand prediction, Operand target);

//===-- Images ------------------------------------------------------------===//

/// Computes precision and recall of each image, [n] each, and the mean over
/// images of their harmonic mean, from booleans or probabilities [n, ...]. Sums
/// below 1e-6 count as 1e-6 in divisors, so an image without positives has 0.
Tensor imagePrecision(Operand prediction, Operand target);
Tensor imageRecall(Operand prediction, Operand target);
Tensor imageF1(Operand prediction, Operand target);

/// Computes the mean over images [n, ...] of I / (A + B - I + 1e-6), where A is
/// the sum of the prediction, B the sum of the target, and I the sum of their
/// product. intersectionOverUnion() first replaces predictions by 1 above the
/// threshold and by 0 elsewhere. smoothIntersectionOverUnion() uses them
/// unchanged, so it is usable as a training objective.
Tensor intersectionOverUnion(Operand prediction, Operand target,
                             double threshold = 0.5);
Tensor smoothIntersectionOverUnion(Operand prediction, Operand target);

/// Computes the mean over images of 1 - 2 Σ w I / Σ w (A + B), from
/// probabilities [n, ..., c]. A, B and I are the sums over the positions of an
/// image of the prediction, of the target and of their product. The outer sums
/// run over the channels and their complements 1 - p, weighted by w = 1 / (B +
/// 0.1)². Sudre et al., "Generalised Dice overlap as a deep learning loss
/// function for highly unbalanced segmentations", 2017.
Tensor generalizedDiceLoss(Operand prediction, Operand target);
/// Computes the mean over channels of 1 - 2I / (A + B), with A, B and I summed
/// over images and positions. A channel whose target is empty contributes 1,
/// for every prediction.
Tensor meanDiceLoss(Operand prediction, Operand target);
/// Computes 1 - (2I + smooth) / (A + B + smooth), with A, B and I of the
/// complements 1 - p and 1 - t, summed over all elements. Any shape is allowed.
Tensor inverseDiceLoss(Operand prediction, Operand target, double smooth = 1);

//===-- Weighted ----------------------------------------------------------===//

/// Weights of the classes and examples of a prediction [n, ..., k].
struct LossWeights {
  /// The weights of the k classes. Empty: 1 each.
  std::vector<double> classes = {};
  /// The weights of the n examples, [n] of the prediction's type. Undefined: 1
  /// each.
  Tensor examples = {};
  /// Divides the sum of all terms by the sum of the example weights instead of
  /// the number of terms. The result is 0 if the weights sum to 0.
  bool normalizes = false;
};

struct FocalOptions {
  LossWeights weights = {};
  /// The exponent of the factor (1 - p)^gamma of each row, where p is the
  /// predicted probability of the true class. A greater gamma reduces the
  /// influence of well classified rows. At least 0.
  double gamma = 0;
};
/// Computes the mean over rows [..., k] of softmaxCrossEntropy(), from logits
/// and distributions. A row has the weight of its class. Lin et al., "Focal
/// Loss for Dense Object Detection", 2017.
Tensor weightedFocalCrossEntropy(Operand logits, Operand target,
                                 const FocalOptions &options = {});

struct WeightedSigmoidOptions {
  LossWeights weights = {};
  /// The factor of the terms with a target of 1, for each class. Empty: 1.
  std::vector<double> positives = {};
};
/// Computes the mean of sigmoidCrossEntropy() over all elements.
Tensor weightedSigmoidCrossEntropy(Operand logits, Operand target,
                                   const WeightedSigmoidOptions &options = {});

struct WeightedDiceOptions {
  LossWeights weights = {};
  /// Replaces the prediction by 1 for the most likely class and 0 elsewhere.
  /// This gives a metric without a useful gradient.
  bool hard = false;
  /// The exponent of the probabilities.
  double power = 1;
  /// The upper bound of the weight 1 / B² of each class of an example; the
  /// weight is 0 where B is 0. A bound of 0 means weight 1 for all classes.
  double greatestInverseArea = 0;
  /// Returns the sum over the examples instead of the mean.
  bool sums = false;
};
/// Computes the mean over examples of 1 - 2 Σ w I / Σ w (A + B), from the
/// softmax of logits, with A, B and I as in generalizedDiceLoss(). The result
/// for an example is 1 if Σ w (A + B) is 0.
Tensor weightedDiceLoss(Operand logits, Operand target,
                        const WeightedDiceOptions &options = {});

struct WeightedErrorOptions {
  LossWeights weights = {};
  /// Applies softmax to the prediction, which then consists of logits.
  bool appliesSoftmax = true;
};
/// Computes sqrt(mean((t - p)²)) with a weighted mean.
Tensor weightedRootMeanSquaredError(Operand prediction, Operand target,
                                    const WeightedErrorOptions &options = {});
/// Computes the weighted mean of |t - p|.
Tensor weightedMeanAbsoluteError(Operand prediction, Operand target,
                                 const LossWeights &weights = {});

/// Computes the fraction of rows [..., k] whose greatest element is at the same
/// position in the prediction and the target. A row has the weight of its
/// class.
Tensor weightedAccuracy(Operand prediction, Operand target,
                        const LossWeights &weights = {});
struct BinaryAccuracyOptions {
  LossWeights weights = {};
  double threshold = 0.5;
};
/// Computes the fraction of elements for which sigmoid(logit) is above the
/// threshold if and only if the target is not 0.
Tensor binaryAccuracy(Operand logits, Operand target,
                      const BinaryAccuracyOptions &options = {});

//===-- Adversarial networks ----------------------------------------------===//

/// The losses of a generator and of its discriminator. Each is minimized over
/// the variables of its own network.
struct GanLosses {
  Tensor generator, discriminator;
};
/// Computes cross entropies from the discriminator's logits for real and for
/// generated examples, of any shape. The generator's loss has the
/// non-saturating form -log sigmoid(fake). Goodfellow et al., "Generative
/// Adversarial Nets", 2014.
GanLosses ganLosses(Operand real, Operand fake);
/// Computes the means of ½(fake - 1)² for the generator and of ½(real - 1)² +
/// ½fake² for the discriminator. Mao et al., "Least Squares Generative
/// Adversarial Networks", 2017.
GanLosses leastSquaresGanLosses(Operand real, Operand fake);
/// Computes the means of -fake for the generator and of fake - real for the
/// critic. The gradient of the critic must be bounded, for example by
/// gradientPenalty(). Arjovsky et al., "Wasserstein GAN", 2017.
GanLosses wassersteinGanLosses(Operand real, Operand fake);
/// Computes the mean over examples of (|d critic(x) / dx| - norm)², at random
/// points x between real and generated examples [n, ...] of one shape, sampled
/// anew in each step. The paper adds 10 times this value to the critic's loss.
/// No gradient flows to the examples. Gulrajani et al., "Improved Training of
/// Wasserstein GANs", 2017.
Tensor gradientPenalty(const std::function<Tensor(Tensor)> &critic,
                       Operand real, Operand fake, double norm = 1);

//===-- Pairs of examples -------------------------------------------------===//

struct TripletLossOptions {
  double margin = 0.2;
  /// Classes, [m] integers. The squared distance of a positive pair is
  /// increased by `penalty` if its class is listed, and the squared distance of
  /// a negative pair is decreased by it if at least one of its classes is.
  Tensor penalized = {};
  double penalty = 0;
};
struct TripletLoss {
  Tensor loss, fraction;
};
/// Computes relu(|a - p|² - |a - n|² + margin) of all triplets of examples,
/// where a and p have the same class and n another, from embeddings [n, d] and
/// class indices [n]. Returns the mean over the triplets with a value above 0,
/// and their fraction of all triplets. Both are 0 without triplets. Uses memory
/// for n³ elements. Schroff et al., "FaceNet", 2015; Hermans et al., "In
/// Defense of the Triplet Loss for Person Re-Identification", 2017: batch all.
TripletLoss tripletLoss(Operand embeddings, Operand labels,
                        const TripletLossOptions &options = {});

struct HistogramLossOptions {
  /// The number of bins in [-1, 1]. 0: the number of elements of an embedding.
  int64_t bins = 0;
  /// As in TripletLossOptions, but inner products of positive pairs are
  /// decreased, and inner products of negative pairs increased.
  Tensor penalized = {};
  double penalty = 0;
};
/// Computes the probability that a pair of examples of different classes is at
/// least as similar as a pair of one class, from embeddings [n, d] of length 1
/// and class indices [n]: Σ_i negative_i Σ_{j <= i} positive_j, with histograms
/// of their inner products. It is 0 if there are no positive or no negative
/// pairs. Each inner product is distributed by linear interpolation over the
/// two nearest of the bins + 1 nodes of the histogram. Ustinova and Lempitsky,
/// "Learning Deep Embeddings with Histogram Loss", 2016.
Tensor histogramLoss(Operand embeddings, Operand labels,
                     const HistogramLossOptions &options = {});

} // namespace tg

#endif // TG_NN_LOSS_H
