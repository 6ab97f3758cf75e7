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

/// Returns the elements to move: half are those with the largest derivatives,
/// the others are random. Returns all elements if there are no more than
/// `count`.
static SmallVector<int64_t> chooseElements(ArrayRef<double> gradient,
                                           unsigned count, Draws &draws) {
  SmallVector<int64_t> order(gradient.size());
  std::iota(order.begin(), order.end(), 0);
  if (order.size() <= count)
    return order;
  auto middle = order.begin() + (count + 1) / 2;
  std::partial_sort(
      order.begin(), middle, order.end(), [&](int64_t a, int64_t b) {
        double x = std::abs(gradient[a]), y = std::abs(gradient[b]);
        return x > y || (x == y && a < b);
      });
  for (auto at = middle; at != order.begin() + count; ++at)
    std::swap(*at, at[draws.below(order.end() - at)]);
  order.resize(count);
  return order;
}

/// Moves all elements to a near point.
static void moveNear(MutableArrayRef<double> numbers, NearPoint near) {
  if (near.number == 0)
    return;
  Draws draws(near.number);
  for (auto [index, number] : llvm::enumerate(numbers)) {
    double part =
        near.number <= 2 ? (index + 0.5) / numbers.size() : draws.uniform();
    number += near.radius * (near.number == 1 ? 1 - 2 * part : 2 * part - 1);
  }
}

bool tg::compareTensor(
    const HostTensor &content, const HostTensor &gradient,
    function_ref<std::optional<double>(const HostTensor &)> evaluate,
    unsigned elements, const SlopeComparison &comparison, Draws &draws,
    const TimeLimit &limit, ComparedDerivatives &derivatives) {
  ArrayRef<double> found = gradient.values<double>();
  derivatives.elements += content.getNumElements();
  derivatives.shape = llvm::to_vector(content.getShape());
  SmallVector<int64_t> chosen = chooseElements(found, elements, draws);
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
    double along = 0;
    for (double derivative : found) {
      direction.push_back(draws.sign());
      along += derivative * direction.back();
    }
    compare(along, /*element=*/std::nullopt,
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
  std::string place = "along a direction through all elements ";
  if (derivatives.shape.empty()) {
    place = "";
  } else if (derivatives.element) {
    place = "at [";
    llvm::ListSeparator comma;
    for (int64_t index : unflatten(*derivatives.element, derivatives.shape))
      place += (StringRef(comma) + Twine(index)).str();
    place += "] ";
  }
  std::string text;
  llvm::raw_string_ostream(text)
      << place
      << llvm::format("to be %.8g, found %.8g: a relative error of %.1e",
                      forPrinting(derivatives.expected),
                      forPrinting(derivatives.found),
                      forPrinting(derivatives.worst));
  return text;
}

//===----------------------------------------------------------------------===//
// All tensors of a request
//===----------------------------------------------------------------------===//

/// Returns the readable name of a value: that of the input if it is one.
static std::string nameOf(GradientSubject &subject, Value value,
                          unsigned number) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto name = argument ? subject.getFunction().getArgAttrOfType<StringAttr>(
                             argument.getArgNumber(), "tg.name")
                       : StringAttr();
  if (auto given = value.getDefiningOp<CustomGradientOp>())
    return "result " + std::to_string(cast<OpResult>(value).getResultNumber()) +
           " of " + given->getName().getStringRef().str();
  return name ? name.str() : "value " + std::to_string(number);
}

/// Returns true if all derivatives are zero as expected. Derivatives through
/// given gradients alone were not compared.
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
  Draws draws(options.seed);
  size_t left = gradients->size();
  auto check =
      [&](std::string name, Location loc, const Twine &what, double rounding,
          const HostTensor &content, const HostTensor &gradient,
          function_ref<std::optional<double>(const HostTensor &)> evaluate) {
        ComparedDerivatives &derivatives = request.wanted.emplace_back();
        derivatives.name = std::move(name);
        SlopeComparison comparison(options, std::abs(subject.getTarget()),
                                   rounding);
        bool isWrong =
            compareTensor(content, gradient, evaluate, options.elements,
                          comparison, draws, limit.partOf(left--), derivatives);
        if (options.holdsGiven && isAllZero(gradient, derivatives))
          derivatives.compared = 0;
        if (!isWrong)
          return;
        ++wrong;
        emitError(loc) << "expected the derivative for " << what << " "
                       << describeWorst(derivatives);
      };
  auto gradient = gradients->begin();
  for (auto [number, value] : llvm::enumerate(subject.getValues())) {
    std::string name = nameOf(subject, value, number);
    auto given = value.getDefiningOp<CustomGradientOp>();
    check(name, given ? given.getLoc() : subject.getLoc(), "'" + name + "'",
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
