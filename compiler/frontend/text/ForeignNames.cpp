//===- ForeignNames.cpp - ops under other frameworks' names ---------------===//
// Names of the C++ frontend, TensorFlow, PyTorch and NumPy that are not ops of
// tg and are not similar to one. A test checks the ops in the hints.
//
//===----------------------------------------------------------------------===//

#include "compiler/frontend/text/ForeignNames.h"

using namespace tg;
using llvm::StringRef;

static constexpr llvm::StringLiteral kMean =
    "a mean is tg.reduce_sum, divided by the number of elements with tg.div";
static constexpr llvm::StringLiteral kMoments =
    "tg.moments gives mean and variance";
static constexpr llvm::StringLiteral kDeviation =
    "a standard deviation is tg.sqrt of the variance that tg.moments gives";
static constexpr llvm::StringLiteral kLogSumExp =
    "the logarithm of a sum of exponentials is tg.sub of tg.reduce_max, "
    "tg.exp, tg.reduce_sum, tg.log, then tg.add of the subtracted maximum";
static constexpr llvm::StringLiteral kRepeat =
    "copies side by side are tg.broadcast_to along a new dimension, then "
    "tg.reshape";
static constexpr llvm::StringLiteral kSwish =
    "x * sigmoid(x) is tg.mul with tg.sigmoid";
// By tg.maximum and tg.abs the gradient would be wrong at 0.
static constexpr llvm::StringLiteral kSigmoidLoss =
    "the loss of a logit x and a target t is tg.select of x or 0 by "
    "tg.compare ge of x with 0, minus x * t, plus tg.log1p of tg.exp of the "
    "tg.select of -x or x";
static constexpr llvm::StringLiteral kSort =
    "the greatest elements in order, and their positions, are tg.top_k; all of "
    "them if k is the extent";
static constexpr llvm::StringLiteral kArcs =
    "an arcsine is 2 atan(x / (1 + sqrt(1 - x^2))) with tg.atan and tg.sqrt, "
    "an arccosine is pi / 2 minus the arcsine";
static constexpr llvm::StringLiteral kHyperbolic =
    "hyperbolic functions are sums and differences of tg.exp, or of tg.expm1 "
    "near 0";
static constexpr llvm::StringLiteral kDense =
    "a dense layer is tg.matmul with the weights, then tg.add with the bias";
static constexpr llvm::StringLiteral kShape = "tg.reshape gives another shape";
static constexpr llvm::StringLiteral kConvolution =
    "tg.conv has the number of dimensions of its filter";
static constexpr llvm::StringLiteral kSelect =
    "tg.select takes elements of two tensors by a condition";
static constexpr llvm::StringLiteral kClip =
    "a clip is tg.minimum, then tg.maximum";
static constexpr llvm::StringLiteral kInput =
    "an input is an argument of func.func with a tg.name";
static constexpr llvm::StringLiteral kDropout =
    "a dropout is tg.random_uniform, tg.compare and tg.select";
static constexpr llvm::StringLiteral kCompare =
    "tg.compare has the comparison as its first word: eq, ne, lt, le, gt, ge";

llvm::ArrayRef<ForeignName> tg::getForeignNames() {
  static constexpr ForeignName table[] = {
      {"reduce_mean", kMean},
      {"mean", kMean},
      {"avg", kMean},
      {"average", kMean},
      {"variance", kMoments},
      {"var", kMoments},
      {"reduce_variance", kMoments},
      {"std", kDeviation},
      {"stddev", kDeviation},
      {"reduce_std", kDeviation},
      {"logsumexp", kLogSumExp},
      {"reduce_logsumexp", kLogSumExp},
      {"log_sum_exp", kLogSumExp},
      {"sum", "a sum is tg.reduce_sum"},
      {"prod", "a product of elements is tg.reduce_prod"},
      {"max", "the greater of two elements is tg.maximum, the greatest of a "
              "tensor tg.reduce_max"},
      {"min", "the lesser of two elements is tg.minimum, the least of a "
              "tensor tg.reduce_min"},
      {"amax", "the greatest element is tg.reduce_max"},
      {"amin", "the least element is tg.reduce_min"},
      {"reduce_any", "an or of booleans is tg.reduce_max"},
      {"reduce_all", "an and of booleans is tg.reduce_min"},
      {"dense", kDense},
      {"linear", kDense},
      {"fully_connected", kDense},
      {"einsum", "products of tensors are tg.matmul, tg.transpose and "
                 "tg.reshape"},
      {"dot", "a product of matrices is tg.matmul"},
      {"mm", "a product of matrices is tg.matmul"},
      {"bmm", "tg.matmul also takes leading dimensions"},
      {"multiply", "a product of elements is tg.mul"},
      {"subtract", "a difference is tg.sub"},
      {"divide", "a quotient is tg.div"},
      {"negative", "the negative is tg.neg"},
      {"tan", "a tangent is tg.sin, divided by tg.cos with tg.div"},
      {"arctan", "an arctangent is tg.atan"},
      {"asin", kArcs},
      {"arcsin", kArcs},
      {"acos", kArcs},
      {"arccos", kArcs},
      {"sinh", kHyperbolic},
      {"cosh", kHyperbolic},
      {"cumprod", "a running product is a tg.scan of tg.mul"},
      {"norm", "a length is tg.mul, tg.reduce_sum and tg.sqrt"},
      {"l2_normalize", "a tensor of length 1 is tg.div by its length: tg.mul, "
                       "tg.reduce_sum and tg.sqrt"},
      {"gelu", "0.5 * x * (1 + erf(x / sqrt(2))) is tg.erf, tg.add and "
               "tg.mul"},
      {"relu6", "min(max(x, 0), 6) is tg.relu, then tg.minimum"},
      {"silu", kSwish},
      {"swish", kSwish},
      {"softplus", "log(1 + exp(x)) is tg.select of x or 0 by tg.compare ge of "
                   "x with 0, plus tg.log1p of tg.exp of the tg.select of -x "
                   "or x"},
      {"linspace", "numbers at equal distances are tg.iota, tg.mul and tg.add"},
      {"square", "a square is tg.mul of a tensor with itself"},
      {"rsqrt", "1 / sqrt(x) is tg.div by tg.sqrt"},
      {"reciprocal", "1 / x is tg.div"},
      {"conv1d", kConvolution},
      {"conv2d", kConvolution},
      {"conv3d", kConvolution},
      {"convolution", kConvolution},
      {"where", kSelect},
      {"cond", "a branch is tg.if"},
      {"while_loop", "a loop is tg.while"},
      {"clip", kClip},
      {"clamp", kClip},
      {"clip_by_value", kClip},
      {"flatten", kShape},
      {"view", kShape},
      {"squeeze", kShape},
      {"expand_dims", kShape},
      {"unsqueeze", kShape},
      {"permute", "tg.transpose has a permutation"},
      {"cat", "tg.concat joins tensors"},
      {"split", "parts are a tg.slice each"},
      {"chunk", "parts are a tg.slice each"},
      {"tile", kRepeat},
      {"repeat", kRepeat},
      {"sort", kSort},
      {"argsort", kSort},
      {"stack", "a stack is tg.reshape of each, then tg.concat"},
      {"one_hot", "a one-hot tensor is tg.iota, tg.compare, tg.cast"},
      {"take", "elements by their indices are tg.gather"},
      {"embedding_lookup", "rows by their indices are tg.gather"},
      {"equal", kCompare},
      {"less", kCompare},
      {"greater", kCompare},
      {"dropout", kDropout},
      {"cross_entropy", "the loss of classes is tg.softmax_cross_entropy"},
      {"sigmoid_cross_entropy", kSigmoidLoss},
      {"sigmoid_cross_entropy_with_logits", kSigmoidLoss},
      {"binary_cross_entropy", kSigmoidLoss},
      {"binary_cross_entropy_with_logits", kSigmoidLoss},
      {"batch_norm", "a normalization is tg.moments, tg.sub and tg.div"},
      {"layer_norm", "a normalization is tg.moments, tg.sub and tg.div"},
      {"placeholder", kInput},
      {"input", kInput},
      {"parameter", kInput},
      {"astype", "another element type is tg.cast"},
      {"arange", "the numbers 0, 1, ... are tg.iota"},
      {"range", "the numbers 0, 1, ... are tg.iota"},
      {"zeros", "a tensor of one number is a tg.constant with dense<0.0>"},
      {"ones", "a tensor of one number is a tg.constant with dense<1.0>"},
      {"fill", "a tensor of one number is a tg.constant, and "
               "tg.broadcast_to"},
      {"return", "a function ends with return"},
  };
  return table;
}

StringRef tg::hintForForeign(StringRef mnemonic) {
  for (const ForeignName &foreign : getForeignNames())
    if (mnemonic.equals_insensitive(foreign.name))
      return foreign.hint;
  return "";
}
