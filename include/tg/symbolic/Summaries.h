/// Summaries of training steps: moving averages, parameters and activations.
///
/// These functions do nothing in towers other than the main training tower.
/// The statistics are computed in the step: trainFunction() returns each scalar
/// as an output with its tag as the name. In a session, mergeAllSummaries()
/// includes the summaries; in eager mode they have values at once.
#ifndef TG_SYMBOLIC_SUMMARIES_H
#define TG_SYMBOLIC_SUMMARIES_H

#include "../graph/summaries.h"

namespace tg::symbolic {

/// A tensor and the name of its summaries.
struct SummaryTensor {
  /// Without a name, the summaries have the name of the tensor in the graph. In
  /// eager mode, where tensors have none, a name is required.
  SummaryTensor(const Tensor &shown, std::string named = {},
                std::source_location at = std::source_location::current())
      : tensor(shown), name(std::move(named)), where(at) {}

  Tensor tensor;
  std::string name;
  std::source_location where;
};

struct MovingSummaryOptions {
  /// The weight of the earlier average, at least 0 and below 1.
  double decay = 0.95;
};
/// Makes summaries NAME-summary of the moving averages of scalars, and returns
/// the averages. trainFunction() and updateOperations() include their updates,
/// and so does a run that fetches an average.
///
///   biased = decay · biased + (1 - decay) · value
///   average = biased / (1 - decay ^ step)
///
/// The variables are EMA/NAME (the average), EMA/NAME/biased and
/// EMA/NAME/local_step, of f32, or f64 for values f64. Throws GraphError for
/// tensors that are not scalars of numbers. Under Reuse::yes it warns and does
/// nothing.
std::vector<Tensor> addMovingSummary(const std::vector<SummaryTensor> &scalars,
                                     const MovingSummaryOptions &options = {});

/// The statistics of a tensor.
enum class SummaryType {
  /// The value of a scalar: NAME-summary.
  scalar,
  /// The distribution of the elements: NAME-histogram.
  histogram,
  /// The fraction of elements that are zero: NAME-sparsity.
  sparsity,
  /// The mean of the elements: NAME-mean.
  mean,
  /// The square root of the mean of the squares: NAME-rms.
  rms
};

/// The statistics of the variables whose names a regular expression matches.
struct ParameterSummary {
  /// An expression in the syntax of ECMAScript. It must match the whole name:
  /// as with Python's re.match, the match begins at the begin of the name, and
  /// a $ is appended.
  std::string regex;
  std::vector<SummaryType> types;
};
/// Makes summaries param-summary/VARIABLE-TYPE of the trainable variables of
/// the program of the open tower, or of the default graph.
///
///   addParamSummary({{".*/W", {SummaryType::histogram, SummaryType::rms}}});
SummaryOp
addParamSummary(const std::vector<ParameterSummary> &summaries,
                std::source_location where = std::source_location::current());

/// Makes summaries activation-summary/NAME-TYPE of a tensor of at least two
/// dimensions. Warns and makes none for others.
SummaryOp addActivationSummary(const SummaryTensor &activation,
                               const std::vector<SummaryType> &types = {
                                   SummaryType::sparsity, SummaryType::rms,
                                   SummaryType::histogram});

/// Makes summaries NAME-TYPE of a tensor below the open name scopes.
SummaryOp addTensorSummary(const SummaryTensor &summarized,
                           const std::vector<SummaryType> &types);

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_SUMMARIES_H
