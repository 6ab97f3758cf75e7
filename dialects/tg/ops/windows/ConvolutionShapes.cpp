//===- ConvolutionShapes.cpp - constraints and types of convolutions ------===//
#include "dialects/tg/ops/windows/ConvolutionOps.h"
#include "dialects/tg/ops/windows/Windows.h"

using namespace mlir;
using namespace tg;

static constexpr WindowLabels kLabels = {/*numbers=*/"C2", /*lengths=*/"C5",
                                         /*pads=*/"C4", /*fits=*/"C7",
                                         /*range=*/"C10"};

/// Checks C1 and C9 of two operands.
static LogicalResult checkOperands(ShapeInference &inference, Value first,
                                   Value second, StringRef secondName) {
  auto left = cast<RankedTensorType>(first.getType());
  auto right = cast<RankedTensorType>(second.getType());
  int64_t rank = left.getRank();
  if (rank < 3 || rank > 5)
    return inference.fail("expected an input of rank 3, 4 or 5, found " +
                          Twine(rank) + " [C1]");
  if (right.getRank() != rank)
    return inference.fail("expected " + secondName + " of the input's rank (" +
                          Twine(rank) + "), found " + Twine(right.getRank()) +
                          " [C1]");
  if (left.getElementType() == right.getElementType())
    return success();
  std::string found;
  llvm::raw_string_ostream(found)
      << left.getElementType() << " and " << right.getElementType();
  return inference.fail("expected input and " + secondName +
                        " of one element type, found " + found + " [C9]");
}

/// Returns the value of an extent, which must be static (C2).
static FailureOr<int64_t> knownExtent(ShapeInference &inference,
                                      AffineExpr extent, const Twine &what) {
  if (std::optional<int64_t> value = staticExtent(extent))
    return *value;
  return inference.fail("expected " + what + " to be known, found ? [C2]");
}

/// Returns the values of all extents of a filter, which must be static (C2).
static FailureOr<SmallVector<int64_t>> filterExtents(ShapeInference &inference,
                                                     Value filter) {
  SmallVector<int64_t> values;
  for (auto [axis, extent] : llvm::enumerate(inference.extentsOf(filter))) {
    FailureOr<int64_t> value =
        knownExtent(inference, extent, "filter dim " + Twine(axis));
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  return values;
}

/// Checks C3 for one number of channels.
static LogicalResult checkGroups(ShapeInference &inference, int64_t groups,
                                 int64_t channels, const Twine &what) {
  if (groups >= 1 && channels % groups == 0)
    return success();
  return inference.fail("expected groups (" + Twine(groups) + ") to divide " +
                        what + " (" + Twine(channels) + ") [C3]");
}

/// Returns the extents [n, o, channels] of the windows over a tensor [n, s, c].
/// Messages call the tensor `name`.
static FailureOr<SmallVector<AffineExpr>>
windowExtents(ShapeInference &inference, const Windows &windows,
              ArrayRef<AffineExpr> tensor, StringRef name, int64_t channels) {
  SmallVector<AffineExpr> extents = {tensor.front()};
  for (unsigned axis = 0; axis < windows.getRank(); ++axis) {
    FailureOr<AffineExpr> count =
        windows.inferCount(inference, axis, tensor[axis + 1],
                           name + " dim " + Twine(axis + 1), kLabels);
    if (failed(count))
      return failure();
    extents.push_back(*count);
  }
  extents.push_back(inference.constant(channels));
  return extents;
}

/// Checks C8: a tensor has the extents of the windows over another one.
static LogicalResult checkOutput(ShapeInference &inference,
                                 const Windows &windows,
                                 ArrayRef<AffineExpr> output,
                                 StringRef outputName,
                                 ArrayRef<AffineExpr> tensor, StringRef name) {
  FailureOr<SmallVector<AffineExpr>> expected =
      windowExtents(inference, windows, tensor, name, /*channels=*/0);
  if (failed(expected))
    return failure();
  for (unsigned axis = 1; axis <= windows.getRank(); ++axis)
    if (failed(inference.merge(
            output[axis], (*expected)[axis], outputName + " dim " + Twine(axis),
            "the windows over " + name + " dim " + Twine(axis), "C8", "R1")))
      return failure();
  return success();
}

LogicalResult ConvOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                                   SmallVectorImpl<TensorExtents> &results) {
  if (failed(checkOperands(inference, adaptor.getInput(), adaptor.getFilter(),
                           "filter")))
    return failure();
  SmallVector<AffineExpr> input = inference.extentsOf(adaptor.getInput());
  FailureOr<SmallVector<int64_t>> filter =
      filterExtents(inference, adaptor.getFilter());
  FailureOr<int64_t> c = knownExtent(inference, input.back(),
                                     "the number of channels of the input");
  if (failed(filter) || failed(c))
    return failure();
  Windows windows(adaptor, ArrayRef(*filter).drop_back(2));
  int64_t groups = adaptor.getGroups();
  int64_t f = filter->back();
  if (failed(windows.check(inference, kLabels)) ||
      failed(checkGroups(inference, groups, *c, "the channels of the input")) ||
      failed(checkGroups(inference, groups, f, "the channels of the filter")))
    return failure();
  int64_t channels = (*filter)[filter->size() - 2];
  if (channels != *c / groups)
    return inference.fail("expected filter dim " + Twine(filter->size() - 2) +
                          " (" + Twine(channels) +
                          ") to equal the channels of a group of the input (" +
                          Twine(*c / groups) + ") [C3]");
  FailureOr<SmallVector<AffineExpr>> result =
      windowExtents(inference, windows, input, "input", f);
  if (failed(result))
    return failure();
  results.push_back({getElementTypeOrSelf(adaptor.getInput()), *result});
  return success();
}

LogicalResult
ConvTransposeOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                              SmallVectorImpl<TensorExtents> &results) {
  if (failed(checkOperands(inference, adaptor.getInput(), adaptor.getFilter(),
                           "filter")))
    return failure();
  SmallVector<AffineExpr> input = inference.extentsOf(adaptor.getInput());
  FailureOr<SmallVector<int64_t>> filter =
      filterExtents(inference, adaptor.getFilter());
  if (failed(filter))
    return failure();
  Windows windows(adaptor, ArrayRef(*filter).drop_back(2));
  int64_t groups = adaptor.getGroups();
  int64_t f = filter->back();
  if (failed(windows.check(inference, kLabels)) ||
      failed(checkGroups(inference, groups, f, "the channels of the filter")) ||
      failed(inference.merge(input.back(), inference.constant(f),
                             "input dim " + Twine(input.size() - 1),
                             "the channels of the filter", "C6")))
    return failure();
  SmallVector<int64_t> list = adaptor.getOutputSizes();
  if (list.size() != windows.getRank())
    return inference.fail("expected output_sizes to have " +
                          Twine(windows.getRank()) + " entries, found " +
                          Twine(list.size()) + " [C5]");
  FailureOr<SmallVector<AffineExpr>> sizes =
      inference.fillList(list, adaptor.getDynamic(), "output_sizes");
  if (failed(sizes))
    return failure();
  SmallVector<AffineExpr> dims = {input.front()};
  dims.append(*sizes);
  dims.push_back(inference.constant((*filter)[filter->size() - 2] * groups));
  if (failed(checkOutput(inference, windows, input, "input", dims, "result")))
    return failure();
  results.push_back({getElementTypeOrSelf(adaptor.getInput()), dims});
  return success();
}

LogicalResult
ConvFilterGradOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                               SmallVectorImpl<TensorExtents> &results) {
  if (failed(checkOperands(inference, adaptor.getInput(),
                           adaptor.getOutputGrad(), "output_grad")))
    return failure();
  SmallVector<AffineExpr> input = inference.extentsOf(adaptor.getInput());
  SmallVector<AffineExpr> output = inference.extentsOf(adaptor.getOutputGrad());
  FailureOr<int64_t> c = knownExtent(inference, input.back(),
                                     "the number of channels of the input");
  FailureOr<int64_t> f = knownExtent(inference, output.back(),
                                     "the number of channels of output_grad");
  if (failed(c) || failed(f))
    return failure();
  SmallVector<int64_t> sizes = adaptor.getFilterSizes();
  if (sizes.size() != input.size() - 2)
    return inference.fail("expected filter_sizes to have " +
                          Twine(input.size() - 2) + " entries, found " +
                          Twine(sizes.size()) + " [C5]");
  Windows windows(adaptor, sizes);
  int64_t groups = adaptor.getGroups();
  if (failed(windows.check(inference, kLabels)) ||
      failed(checkGroups(inference, groups, *c, "the channels of the input")) ||
      failed(
          checkGroups(inference, groups, *f, "the channels of output_grad")) ||
      failed(inference.merge(output.front(), input.front(), "output_grad dim 0",
                             "input dim 0", "C6")) ||
      failed(checkOutput(inference, windows, output, "output_grad", input,
                         "input")))
    return failure();
  SmallVector<AffineExpr> dims;
  for (int64_t size : sizes)
    dims.push_back(inference.constant(size));
  dims.push_back(inference.constant(*c / groups));
  dims.push_back(inference.constant(*f));
  results.push_back({getElementTypeOrSelf(adaptor.getInput()), dims});
  return success();
}
