//===- RunningSums.cpp - prefix sums and sums of updates ------------------===//
#include "compiler/reference/Sums.h"
#include "dialects/tg/ops/movement/IndexingOps.h"
#include "dialects/tg/ops/structured/Reduction.h"
#include "dialects/tg/ops/structured/ReductionOps.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// cumsum
//===----------------------------------------------------------------------===//

/// Computes the running sums of a row in steps of as many elements as `window`
/// has. `at` returns the linear index of an element of the row.
template <typename T>
static void sumRow(ArrayRef<T> x, MutableArrayRef<T> y, int64_t extent,
                   bool isExclusive, std::vector<T> &window,
                   function_ref<int64_t(int64_t)> at) {
  int64_t lanes = window.size();
  double carried = 0;
  for (int64_t first = 0; first < extent; first += lanes) {
    for (int64_t i = 0; i < lanes; ++i)
      window[i] = first + i < extent ? x[at(first + i)] : T(0);
    // A lane without a neighbour at the distance adds 0, so that -0 becomes +0.
    for (int64_t distance = 1; distance < lanes; distance *= 2)
      for (int64_t i = lanes; i-- > 0;)
        window[i] = window[i] + (i >= distance ? window[i - distance] : T(0));
    for (int64_t i = 0; i < lanes && first + i < extent; ++i) {
      T within = !isExclusive ? window[i] : i ? window[i - 1] : T(0);
      y[at(first + i)] = within + T(carried);
    }
    carried = carried + double(window[lanes - 1]);
  }
}

/// Computes the running sums of a row, one element after the other, in f64.
template <typename T>
static void sumRowInSequence(ArrayRef<T> x, MutableArrayRef<T> y,
                             int64_t extent, bool isExclusive,
                             function_ref<int64_t(int64_t)> at) {
  double carried = 0;
  for (int64_t i = 0; i < extent; ++i) {
    double next = carried + double(x[at(i)]);
    y[at(i)] = T(isExclusive ? carried : next);
    carried = next;
  }
}

std::string tg::sumAlongAxis(Operation *op, const HostTensor &operand,
                             HostTensor &result) {
  auto cumsum = cast<CumsumOp>(op);
  Rows rows(operand.getShape(), cumsum.getAxis());
  int64_t lanes = orderOf(op).getLanes();
  visitFloatType(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> window(lanes);
    for (int64_t row = 0; row < rows.count(); ++row) {
      auto at = [&](int64_t i) {
        return rows.element(row, cumsum.getReverse() ? rows.extent - 1 - i : i);
      };
      if (lanes == 1)
        sumRowInSequence<T>(operand.values<T>(), result.values<T>(),
                            rows.extent, cumsum.getExclusive(), at);
      else
        sumRow<T>(operand.values<T>(), result.values<T>(), rows.extent,
                  cumsum.getExclusive(), window, at);
    }
  });
  return {};
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

std::string tg::addUpdates(Operation *op, ArrayRef<HostTensor> operands,
                           HostTensor &result) {
  auto scatter = cast<ScatterOp>(op);
  const HostTensor &indices = operands[1], &updates = operands[2];
  size_t axis = scatter.getAxis(), batch = scatter.getBatchDims();
  size_t indexed = indices.getRank() - batch;
  result = operands[0];
  visitFloatType(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    MutableArrayRef<T> sums = result.values<T>();
    for (int64_t element = 0; element < updates.getNumElements(); ++element) {
      SmallVector<int64_t> update = unflatten(element, updates.getShape());
      ArrayRef<int64_t> at = update;
      SmallVector<int64_t> index(at.take_front(batch));
      llvm::append_range(index, at.slice(axis, indexed));
      SmallVector<int64_t> target(at.take_front(axis));
      target.push_back(indices.integerAt(flatten(index, indices.getShape())));
      llvm::append_range(target, at.drop_front(axis + indexed));
      T &sum = sums[flatten(target, result.getShape())];
      sum = sum + updates.values<T>()[element];
    }
  });
  return {};
}
