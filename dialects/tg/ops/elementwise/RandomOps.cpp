//===- RandomOps.cpp - random samples as pure functions -------------------===//
#include "dialects/tg/ops/elementwise/RandomOps.h"
#include "dialects/tg/evaluation/Random.h"

using namespace mlir;
using namespace tg;

#include "dialects/tg/ops/elementwise/RandomOpsDefinitions.inc"

/// Returns the number of samples that one stream has for one counter (C3).
static int64_t maximumSamples(SampleFormat format) {
  switch (format) {
  case SampleFormat::f32:
    return int64_t(1) << 34;
  case SampleFormat::f64:
    return int64_t(1) << 33;
  }
  llvm_unreachable("all formats are above");
}

/// The value of `stream` if the last dynamic operand gives the stream.
static constexpr uint64_t kDynamicStream = -1;

/// The shape rule of both ops.
template <typename Adaptor>
static LogicalResult inferSample(Adaptor adaptor, ShapeInference &inference,
                                 SmallVectorImpl<TensorExtents> &results) {
  ValueRange sizes = adaptor.getDynamic();
  if (adaptor.getStream() == kDynamicStream) {
    if (sizes.empty())
      return inference.fail(
          "expected a dynamic operand for stream, found none [G4]");
    sizes = sizes.drop_back();
  }
  FailureOr<SmallVector<AffineExpr>> dims =
      inference.fillList(adaptor.getShape(), sizes, "shape");
  if (failed(dims))
    return failure();
  if (int64_t(adaptor.getStream()) > std::numeric_limits<uint32_t>::max())
    return inference.fail("expected stream to be below 2^32, found " +
                          Twine(adaptor.getStream()) + " [C1]");
  Type type = adaptor.getElementType().getValue();
  std::optional<SampleFormat> format = sampleFormatOf(type);
  if (!format) {
    std::string found;
    llvm::raw_string_ostream(found) << type;
    return inference.fail("expected element_type " +
                          describe(ElementClass::floating) + ", found " +
                          found + " [C2]");
  }
  SmallVector<int64_t> known;
  for (AffineExpr extent : *dims)
    if (std::optional<int64_t> number = staticExtent(extent))
      known.push_back(*number);
  std::optional<int64_t> count = checkedElementCount(known);
  int64_t limit = maximumSamples(*format);
  if (!count || *count >= limit)
    return inference.fail("expected fewer than " + Twine(limit) +
                          " elements, found " +
                          (count ? Twine(*count) : Twine("more")) + " [C3]");
  if (known.size() < dims->size())
    inference.require(productOf(*dims, inference.getContext()),
                      ExtentRelation::atMost, inference.constant(limit - 1),
                      "number of elements", "C3");
  results.push_back({type, *dims});
  return success();
}

/// Fills each element of the result with sample(key, element).
static std::string
evaluateSample(ArrayRef<HostTensor> operands, HostTensor &result,
               uint64_t stream,
               function_ref<double(const SampleKey &, uint64_t)> sample) {
  SampleKey key;
  key.seed = operands[0].integerAt(0);
  key.counter = operands[1].integerAt(0);
  key.stream = stream == kDynamicStream ? operands.back().integerAt(0) : stream;
  visitElementType(result.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (auto [element, value] : llvm::enumerate(result.values<T>()))
      value = T(sample(key, element));
  });
  return {};
}

//===----------------------------------------------------------------------===//
// random_uniform
//===----------------------------------------------------------------------===//

LogicalResult
RandomUniformOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                              SmallVectorImpl<TensorExtents> &results) {
  return inferSample(adaptor, inference, results);
}

std::string RandomUniformOp::evaluate(ArrayRef<HostTensor> operands,
                                      MutableArrayRef<HostTensor> results) {
  return evaluateSample(operands, results[0], getStream(),
                        [&](const SampleKey &key, uint64_t element) -> double {
                          switch (getFormat()) {
                          case SampleFormat::f32:
                            return uniformF32(key, element);
                          case SampleFormat::f64:
                            return uniformF64(key, element);
                          }
                          llvm_unreachable("all formats are above");
                        });
}

SmallVector<StringRef> RandomUniformOp::getSizeAttributes() {
  return {"shape", "stream"};
}

//===----------------------------------------------------------------------===//
// random_normal
//===----------------------------------------------------------------------===//

LogicalResult
RandomNormalOp::inferResults(Adaptor adaptor, ShapeInference &inference,
                             SmallVectorImpl<TensorExtents> &results) {
  return inferSample(adaptor, inference, results);
}

std::string RandomNormalOp::evaluate(ArrayRef<HostTensor> operands,
                                     MutableArrayRef<HostTensor> results) {
  return evaluateSample(operands, results[0], getStream(),
                        [&](const SampleKey &key, uint64_t element) -> double {
                          switch (getFormat()) {
                          case SampleFormat::f32:
                            return normalF32(key, element, getTruncated());
                          case SampleFormat::f64:
                            return normalF64(key, element, getTruncated());
                          }
                          llvm_unreachable("all formats are above");
                        });
}

SmallVector<StringRef> RandomNormalOp::getSizeAttributes() {
  return {"shape", "stream"};
}
