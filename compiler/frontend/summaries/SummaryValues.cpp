//===- SummaryValues.cpp - the values of summaries ------------------------===//
#include "compiler/frontend/summaries/Summaries.h"

#include "compiler/frontend/graph/DatasetElements.h"
#include "compiler/frontend/graph/Elements.h"

#include <charconv>

using namespace tg;
using namespace tg::dsl;

using Kind = SummaryPart::Kind;

/// Returns a label as text: the shortest digits that read back exactly.
static std::string labelOf(const Array &labels, size_t index) {
  double number = labels.at(index);
  char digits[32];
  tg_dtype_t stored = storedType(labels.dtype());
  bool isSingle = stored.code == TG_DTYPE_FLOAT && stored.bits == 32;
  std::to_chars_result end =
      isSingle
          ? std::to_chars(digits, std::end(digits), static_cast<float>(number))
          : std::to_chars(digits, std::end(digits), number);
  return std::string(digits, end.ptr);
}

/// Throws GraphError for images or labels of extents that were dynamic.
static void checkExtents(const SummaryPart &part,
                         std::span<const Array> arrays) {
  const std::vector<int64_t> &shape = arrays[0].shape();
  bool isImage = shape[3] == 1 || shape[3] == 3 || shape[3] == 4;
  if (!isImage || shape[1] == 0 || shape[2] == 0)
    throw GraphError("expected images [n, height, width, 1, 3 or 4] for "
                     "summary '" +
                         part.tag + "', found " +
                         toString(Shape(shape.begin(), shape.end())),
                     part.where);
  if (arrays.size() > 1 && arrays[1].shape()[0] != shape[0])
    throw GraphError("expected " + std::to_string(shape[0]) +
                         " labels of summary '" + part.tag + "', found " +
                         std::to_string(arrays[1].shape()[0]),
                     part.where);
}

static void addImages(const SummaryPart &part, std::span<const Array> arrays,
                      training::Summary &summary) {
  checkExtents(part, arrays);
  int64_t most = part.options.maxOutputs;
  int64_t count = std::min(arrays[0].shape()[0], most);
  for (int64_t i = 0; i < count; ++i) {
    data::Feature image = imageOf(arrays[0], i);
    if (part.options.flipVertical)
      flipRows(image);
    if (part.kind == Kind::labeledImage)
      drawText(image, labelOf(arrays[1], static_cast<size_t>(i)),
               part.options.color, part.options.fontSize);
    // The tag follows from the number of requested images, as in TensorFlow.
    std::string suffix = most > 1 ? "/image/" + std::to_string(i) : "/image";
    summary.addImage(part.tag + suffix, image);
  }
}

void dsl::addValue(const SummaryPart &part, std::span<const Array> arrays,
                   training::Summary &summary) {
  try {
    switch (part.kind) {
    case Kind::scalar:
      return summary.addScalar(part.tag, arrays[0].scalar());
    case Kind::histogram:
      summary.addHistogram(part.tag, featureOf(arrays[0]));
      return;
    case Kind::image:
    case Kind::labeledImage:
      return addImages(part, arrays, summary);
    }
  } catch (const data::DataError &error) {
    throw GraphError(error.what(), part.where);
  }
}
