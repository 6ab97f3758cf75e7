//===- Summaries.h - the parts of summaries -------------------------------===//
#ifndef TG_COMPILER_FRONTEND_SUMMARIES_SUMMARIES_H
#define TG_COMPILER_FRONTEND_SUMMARIES_SUMMARIES_H

#include "compiler/frontend/graph/Build.h"
#include "tg/graph/summaries.h"

#include <map>
#include <set>
#include <span>

namespace tg::dsl {

/// One summary of a graph: its tag and the tensors that it shows.
struct SummaryPart {
  enum class Kind { scalar, histogram, image, labeledImage };

  Kind kind;
  std::string tag;
  /// The tensor, and the labels of a labeled image.
  std::vector<Id> tensors;
  LabeledImageOptions options = {};
  /// True for a summary of the training step: trainFunction() returns it.
  bool isOfTraining = false;
  /// The line that made the summary.
  Place where;
};

/// The summaries of a program.
struct Summaries {
  /// The summaries of a graph, in the order of the program.
  std::vector<std::shared_ptr<const SummaryPart>> parts;
  /// The tags in use.
  std::set<std::string> tags;
  /// In eager mode: the values since the last mergeAllSummaries(), by tag, and
  /// the order of the tags.
  std::map<std::string, training::Summary> values;
  std::vector<std::string> order;

  static Summaries &of(const BodyPtr &body);
};

/// Adds a summary to its program, and computes it in eager mode. `tag` is the
/// whole tag, to which a graph adds a number if it is taken.
SummaryOp addSummary(const BodyPtr &body, SummaryPart part);
/// Returns an output for each scalar that is a summary of the training step.
std::vector<Output> trainingOutputs(const BodyPtr &body);
/// Returns a name with _ in place of characters that no tag has. Throws
/// GraphError for an empty name.
std::string cleanTag(const std::string &name, const BodyPtr &body, Place where);

/// Adds the value of a part to a summary. Throws GraphError at the line of the
/// part for arrays that it cannot show.
void addValue(const SummaryPart &part, std::span<const Array> arrays,
              training::Summary &summary);

/// Returns true for the type of images whose elements are shown as they are.
bool isByte(DType dtype);
/// Converts an image of an array [n, height, width, channels] of u8 or floats
/// to u8 [height, width, channels].
data::Feature imageOf(const Array &images, int64_t index);
/// Exchanges the rows of an image u8 [height, width, channels] from top to
/// bottom.
void flipRows(data::Feature &image);
/// Writes text into the upper left corner of an image u8 [height, width,
/// channels], as far as it fits.
void drawText(data::Feature &image, std::string_view text, TextColor color,
              int64_t height);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_SUMMARIES_SUMMARIES_H
