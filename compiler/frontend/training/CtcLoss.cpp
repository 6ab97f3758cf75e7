//===- CtcLoss.cpp - loss for sequences without alignment -----------------===//
#include "compiler/frontend/training/Targets.h"
#include "tg/nn/loss.h"
#include "tg/tensor/control.h"
#include "tg/tensor/host.h"
#include "tg/tensor/sequences.h"

#include <limits>

using namespace tg;
using namespace tg::dsl;

/// A stand-in for log 0. It is far below the logarithm of every probability,
/// and finite, so that differences of two are not NaN.
static constexpr double kLogZero = -1e30;

namespace {
/// The s = 2l + 1 states of an alignment: a blank before, between and after the
/// labels.
struct AlignmentStates {
  /// The class of each state, i64 [n, s].
  Tensor classes;
  /// True if a path may skip the blank before a label that differs from the
  /// previous label; boolean [n, s].
  Tensor maySkip;
};
} // namespace

/// Shifts each row [n, s] by one position, with `first` at position 0.
static Tensor shifted(const Tensor &rows, double first) {
  Tensor before = rows[{Slice(), Slice(0, -1)}];
  return pad(before, {.low = {0, 1}, .high = {0, 0}, .value = first});
}

/// Returns log(eᵃ + eᵇ) of finite numbers. It has no stop_gradient, so that
/// gradient checks succeed for each op. The gradient for equal numbers is 1/2
/// each.
static Tensor logAdd(const Tensor &a, const Tensor &b) {
  Tensor isGreater = a > b;
  Tensor greater = select(isGreater, a, b);
  Tensor less = select(isGreater, b, a);
  return greater + softplus(less - greater);
}

static AlignmentStates statesOf(const Tensor &labels,
                                const Tensor &labelLengths, int64_t blank) {
  // Labels after labelLengths may be invalid classes.
  Tensor isUsed = positions(labels, 1) < expandDims(labelLengths, -1);
  Tensor isBlank = isUsed & (labels == static_cast<double>(blank));
  Tensor known = assertTrue(!reduceAny(isBlank),
                            "expected labels other than the blank, " +
                                std::to_string(blank),
                            select(isUsed, labels, static_cast<double>(blank)));
  Tensor blanks = onesLike(known) * static_cast<double>(blank);
  Tensor pairs = flatten(stack({blanks, known}, -1), 1);
  Tensor classes =
      pad(pairs,
          {.low = {0, 0}, .high = {0, 1}, .value = static_cast<double>(blank)});
  Tensor twoBefore = shifted(shifted(classes, -1), -1);
  Tensor isLabel = positions(classes, 1) % 2.0 == 1.0;
  return {classes, isLabel & (classes != twoBefore)};
}

/// Returns the log probabilities of all paths that end in each state after the
/// last step, [n, s]. A step adds the probabilities of the states from which a
/// path may come.
static Tensor pathLogProbabilities(const Tensor &logits,
                                   const AlignmentStates &states,
                                   const Tensor &logitLengths, Place where) {
  Tensor logProbabilities =
      gather(logSoftmax(logits), states.classes, {.axis = 2, .batchDims = 1});
  logProbabilities = maximum(transpose(logProbabilities, {1, 0, 2}), kLogZero);
  Tensor isFirst = iotaLike(states.classes, 1) == 0.0;
  Tensor begin = cast(select(isFirst, 0.0, kLogZero), logProbabilities.dtype());
  Tensor lengths = expandDims(logitLengths, -1);
  auto step = [&](Tensor paths, Tensor now, Tensor index) {
    Tensor one = shifted(paths, kLogZero);
    Tensor two = select(states.maySkip, shifted(one, kLogZero), kLogZero);
    Tensor next = logAdd(logAdd(paths, one), two) + now;
    return select(index < lengths, next, paths);
  };
  return scan(step, {begin}, {logProbabilities, positions(logProbabilities)},
              {}, where);
}

/// Throws GraphError unless labels and lengths match the logits.
static void expectSequences(const Operand &logits, const Operand &labels,
                            const Operand &logitLengths,
                            const Operand &labelLengths) {
  auto isInteger = [](const Operand &operand) {
    DType dtype = operand.tensor().dtype();
    return !isFloat(dtype) && dtype != boolean;
  };
  if (logits.tensor().rank() != 3 || !isFloat(logits.tensor().dtype()) ||
      labels.tensor().rank() != 2 || !isInteger(labels))
    raiseAt(logits, "expected float logits [n, t, c] and integer labels [n, "
                    "l], found " +
                        toString(logits.tensor().dtype()) + " " +
                        toString(logits.tensor().shape()) + " and " +
                        toString(labels.tensor().dtype()) + " " +
                        toString(labels.tensor().shape()));
  for (const Operand *lengths : {&logitLengths, &labelLengths})
    if (lengths->tensor().rank() != 1 || !isInteger(*lengths))
      raiseAt(*lengths, "expected integer lengths [n], found " +
                            toString(lengths->tensor().dtype()) + " " +
                            toString(lengths->tensor().shape()));
}

/// Returns the class index of the blank.
static int64_t blankOf(const Operand &logits, int64_t blank) {
  int64_t classes = logits.tensor().dim(-1, logits.where());
  if (blank < -classes || blank >= classes)
    raiseAt(logits, "expected a blank in [" + std::to_string(-classes) + ", " +
                        std::to_string(classes) + "), found " +
                        std::to_string(blank));
  return blank < 0 ? blank + classes : blank;
}

/// Returns lengths as i64. A length greater than the extent is an error at run
/// time.
static Tensor checkedLengths(const Operand &lengths, const Operand &like,
                             int64_t axis) {
  Tensor all = range(extentOf(like, axis) + 1.0);
  return gather(all, lengths);
}

Tensor tg::ctcLoss(Operand logits, Operand labels, Operand logitLengths,
                   Operand labelLengths, const CtcOptions &options) {
  Scope scope(logits);
  expectSequences(logits, labels, logitLengths, labelLengths);
  int64_t blank = blankOf(logits, options.blank);
  Tensor labelCounts = checkedLengths(labelLengths, labels, 1);
  AlignmentStates states = statesOf(cast(labels, i64), labelCounts, blank);
  Tensor paths = pathLogProbabilities(
      logits, states, checkedLengths(logitLengths, logits, 1), logits.where());
  // A path ends at the last label or at the blank after it.
  Tensor last = expandDims(labelCounts * 2.0, -1);
  Tensor atBlank = takeAlongAxis(paths, last);
  Tensor atLabel = select(last == 0.0, kLogZero,
                          takeAlongAxis(paths, maximum(last - 1.0, 0.0)));
  Tensor total = squeeze(logAdd(atBlank, atLabel), {1});
  // A loss of NaN stays NaN.
  Tensor isImpossible = total <= 0.5 * kLogZero;
  return select(isImpossible, std::numeric_limits<double>::infinity(), -total);
}
