//===- DerivativeCheck.cpp - gradients of a target ------------------------===//
#include "compiler/gradient_check/Comparisons.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

/// Returns the indices of `count` elements to perturb: half have the largest
/// absolute derivatives, the others are random. Returns all elements if there
/// are no more than `count`.
static SmallVector<int64_t> chooseElements(ArrayRef<double> gradient,
                                           unsigned count,
                                           RandomGenerator &random) {
  SmallVector<int64_t> order(gradient.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= count)
    return order;
  auto middle = order.begin() + (count + 1) / 2;
  std::partial_sort(order.begin(), middle, order.end(),
                    [&](int64_t a, int64_t b) {
                      double x = std::abs(gradient[a]);
                      double y = std::abs(gradient[b]);
                      return x > y || (x == y && a < b);
                    });
  for (auto next = middle; next != order.begin() + count; ++next)
    std::swap(*next, next[random.below(order.end() - next)]);
  order.resize(count);
  return order;
}

/// Moves the tensor `numbers` to a near point. Changes each element by at most
/// `near.radius`: near point 1 by offsets that fall with the index of the
/// element, 2 by offsets that rise with it, and the others by random offsets.
static void moveNear(MutableArrayRef<double> numbers, NearPoint near) {
  if (near.index == 0)
    return;
  RandomGenerator random(near.index);
  for (auto [index, number] : llvm::enumerate(numbers)) {
    double fraction =
        near.index <= 2 ? (index + 0.5) / numbers.size() : random.uniform();
    number +=
        near.radius * (near.index == 1 ? 1 - 2 * fraction : 2 * fraction - 1);
  }
}

bool tg::compareTensor(
    const HostTensor &content, const HostTensor &gradient,
    function_ref<std::optional<double>(const HostTensor &)> evaluate,
    unsigned elements, const SlopeComparison &comparison,
    RandomGenerator &random, const TimeLimit &limit,
    ComparedDerivatives &derivatives) {
  ArrayRef<double> found = gradient.values<double>();
  derivatives.elements += content.getNumElements();
  derivatives.shape = llvm::to_vector(content.getShape());
  SmallVector<int64_t> chosen = chooseElements(found, elements, random);
  bool isWrong = false;
  auto compare = [&](double derivative, std::optional<int64_t> element,
                     function_ref<void(MutableArrayRef<double>, double)> move) {
    if (limit.isOver()) {
      derivatives.isCutShort = true;
      return;
    }
    auto line = [&](double distance, NearPoint near) {
      HostTensor moved = content;
      moveNear(moved.values<double>(), near);
      move(moved.values<double>(), distance);
      return evaluate(moved);
    };
    isWrong |= comparison.compare(derivative, line, element, derivatives);
  };
  auto compareDirection = [&] {
    SmallVector<double> direction;
    double directional = 0;
    for (double derivative : found) {
      direction.push_back(random.sign());
      directional += derivative * direction.back();
    }
    compare(directional, /*element=*/std::nullopt,
            [&](MutableArrayRef<double> numbers, double distance) {
              for (auto [number, sign] : llvm::zip(numbers, direction))
                number += sign * distance;
            });
  };
  // The direction is checked first, because it covers all elements in little
  // time.
  if (int64_t(chosen.size()) != content.getNumElements())
    compareDirection();
  for (int64_t element : chosen)
    compare(found[element], element,
            [&](MutableArrayRef<double> numbers, double distance) {
              numbers[element] += distance;
            });
  derivatives.isWrong |= isWrong;
  return isWrong;
}

std::string tg::describeWorst(const ComparedDerivatives &derivatives) {
  std::string position = "along a direction through all elements ";
  if (derivatives.shape.empty()) {
    position = "";
  } else if (derivatives.element) {
    position = "at [";
    llvm::ListSeparator comma;
    for (int64_t index : unflatten(*derivatives.element, derivatives.shape))
      position += (StringRef(comma) + Twine(index)).str();
    position += "] ";
  }
  std::string text;
  llvm::raw_string_ostream(text)
      << position
      << llvm::format("to be %.8g, found %.8g: a relative error of %.1e",
                      forPrinting(derivatives.expected),
                      forPrinting(derivatives.found),
                      forPrinting(derivatives.worst));
  return text;
}

//===----------------------------------------------------------------------===//
// All tensors of a request
//===----------------------------------------------------------------------===//

/// Returns a readable name of a requested value: the name of an input, the
/// result of a tg.custom_gradient, or the index of the value in the request.
static std::string nameOf(GradientSubject &subject, Value value,
                          unsigned index) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto name = argument ? subject.getFunction().getArgAttrOfType<StringAttr>(
                             argument.getArgNumber(), "tg.name")
                       : StringAttr();
  if (auto custom = value.getDefiningOp<CustomGradientOp>())
    return "result " + std::to_string(cast<OpResult>(value).getResultNumber()) +
           " of " + custom->getName().getStringRef().str();
  return name ? name.str() : "value " + std::to_string(index);
}

/// Returns true if all derivatives are zero and agree with the differences. If
/// the results of custom gradients are held constant, this means that the
/// tensor reaches the target only through them, so that nothing was compared.
static bool isAllZero(const HostTensor &gradient,
                      const ComparedDerivatives &derivatives) {
  return derivatives.worst == 0 &&
         llvm::all_of(gradient.values<double>(),
                      [](double number) { return number == 0; });
}

LogicalResult tg::checkDerivatives(GradientSubject &subject,
                                   const GradientCheckOptions &options,
                                   const TimeLimit &limit,
                                   CheckedRequest &request, unsigned &wrong) {
  FailureOr<SmallVector<HostTensor>> gradients = subject.differentiate();
  if (failed(gradients))
    return failure();
  RandomGenerator random(options.seed);
  size_t remaining = gradients->size();
  auto check =
      [&](std::string name, Location loc, const Twine &description,
          double rounding, const HostTensor &content,
          const HostTensor &gradient,
          function_ref<std::optional<double>(const HostTensor &)> evaluate) {
        ComparedDerivatives &derivatives = request.wanted.emplace_back();
        derivatives.name = std::move(name);
        SlopeComparison comparison(options, std::abs(subject.getTarget()),
                                   rounding);
        bool isWrong = compareTensor(content, gradient, evaluate,
                                     options.elements, comparison, random,
                                     limit.shareOf(remaining--), derivatives);
        if (options.holdsGiven && isAllZero(gradient, derivatives))
          derivatives.compared = 0;
        if (!isWrong)
          return;
        ++wrong;
        emitError(loc) << "expected the derivative for " << description << " "
                       << describeWorst(derivatives);
      };
  auto gradient = gradients->begin();
  for (auto [index, value] : llvm::enumerate(subject.getValues())) {
    std::string name = nameOf(subject, value, index);
    auto custom = value.getDefiningOp<CustomGradientOp>();
    check(name, custom ? custom.getLoc() : subject.getLoc(), "'" + name + "'",
          subject.roundingAfter(value), subject.contentOf(value), *gradient++,
          [&](const HostTensor &content) {
            return subject.evaluate(value, content);
          });
  }
  for (const std::string &name : subject.getVariables()) {
    auto variable = SymbolTable::lookupNearestSymbolFrom<VariableOp>(
        subject.getFunction(),
        StringAttr::get(subject.getFunction().getContext(), name));
    check(name, variable.getLoc(), "variable '" + name + "'",
          subject.roundingAfter(name), subject.contentOf(name), *gradient++,
          [&](const HostTensor &content) {
            return subject.evaluate(name, content);
          });
  }
  return success();
}
