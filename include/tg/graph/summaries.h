/// Summaries of tensors, which event files show at steps of a training.
///
///   summaryScalar("loss", loss);
///   summaryHistogram("weights", w);
///   SummaryOp merged = mergeAllSummaries();
///   training::EventWriter events("logs");          // ../training/events.hpp
///   events.add(session.run(merged, feeds), step);
#ifndef TG_GRAPH_SUMMARIES_H
#define TG_GRAPH_SUMMARIES_H

#include "../training/summary.hpp"
#include "default_graph.h"
#include "fetches.h"

#include <string>
#include <utility>
#include <vector>

namespace tg {

namespace dsl {
struct SummaryPart;
} // namespace dsl

/// Summaries of tensors. In a graph this is a fetch: a session computes the
/// tensors and returns a training::Summary. In eager mode it has its value at
/// once.
class SummaryOp {
public:
  /// Makes a summary without values.
  SummaryOp() = default;

  /// Returns the value in eager mode. Throws GraphError in a graph, where a
  /// session computes it.
  const training::Summary &
  value(std::source_location where = std::source_location::current()) const &;
  training::Summary
  value(std::source_location where = std::source_location::current()) && {
    return std::as_const(*this).value(where);
  }
  /// Returns the tags of the summaries: their names with the name scopes around
  /// them. The values of images have tags that begin with it.
  const std::vector<std::string> &tags() const & { return names; }
  std::vector<std::string> tags() && { return std::move(names); }

  /// Internal: the program, null without summaries; the parts in a graph.
  std::shared_ptr<dsl::Body> owner;
  std::vector<std::shared_ptr<const dsl::SummaryPart>> parts;
  std::vector<std::string> names;
  training::Summary computed;
};

/// Functions that make a summary. The tag is the name below the open name
/// scopes, as TensorFlow forms it: characters other than letters, digits and
/// _ . / - become _, and in a graph a taken name gets a number, loss_1. All
/// throw GraphError for a tensor without a suitable type or shape.

/// Makes a summary of a number.
SummaryOp summaryScalar(const std::string &name, Operand value);
/// Makes a summary of the distribution of all elements. NaN and infinity are
/// not counted.
SummaryOp summaryHistogram(const std::string &name, Operand values);
/// Makes a summary of the first `maxOutputs` of images [n, height, width,
/// channels] with 1 (grey), 3 (RGB) or 4 (RGB and alpha) channels. Their tags
/// are NAME/image/0, NAME/image/1 …, or NAME/image if maxOutputs is 1.
///
/// Elements u8 stay as they are. Floats are scaled per image as in
/// TensorFlow's tf.summary.image: without negative numbers the largest one
/// becomes 255; otherwise 0 becomes 128, and the number of the largest
/// magnitude becomes 1 or 255. Pixels with NaN or infinity become red.
SummaryOp summaryImage(const std::string &name, Operand images,
                       int64_t maxOutputs = 3);

/// A color of text, pink by default. In grey images it has its brightness.
struct TextColor {
  uint8_t red = 255, green = 192, blue = 203;
};

struct LabeledImageOptions {
  int64_t maxOutputs = 3;
  /// Exchanges the first and the last row of each image, and so on.
  bool flipVertical = false;
  TextColor color = {};
  /// The height of the text in pixels, from 8 to 128. The text has the largest
  /// font of libgd that fits, magnified by a whole number.
  int64_t fontSize = 15;
};
/// Makes a summary of images as summaryImage() does, each with its label
/// written into the upper left corner. The labels are numbers [n].
SummaryOp summaryLabeledImage(const std::string &name, Operand images,
                              Operand labels,
                              const LabeledImageOptions &options = {});

/// Returns all summaries so far of a graph, except those of predicting towers
/// (../symbolic/Tower.h). In eager mode returns the summaries since the last
/// call, the last one of each tag.
SummaryOp mergeAllSummaries(const Program &program);
/// The same for the default graph.
SummaryOp mergeAllSummaries();
/// Returns several summaries of a program as one.
SummaryOp
mergeSummaries(const std::vector<SummaryOp> &summaries,
               std::source_location where = std::source_location::current());

/// Returns an output for each scalar of mergeAllSummaries(), with its tag as
/// the name, for a function of a compiled library. A caller of the function,
/// such as tgc-train, can write them as scalars of an event file.
std::vector<Output> summaryOutputs(const Program &program);

namespace dsl {
/// Appends the fetches of a summary. Throws GraphError in eager mode.
void listSummary(const SummaryOp &summary, std::vector<Fetch> &fetches,
                 std::source_location where);
/// Makes a summary of the values of its fetches.
training::Summary makeSummary(const SummaryOp &summary, const Array *&next);

template <> struct Fetched<SummaryOp> {
  using Value = training::Summary;
  static void list(const SummaryOp &summary, std::vector<Fetch> &fetches,
                   std::source_location where) {
    listSummary(summary, fetches, where);
  }
  static Value make(const SummaryOp &summary, const Array *&next) {
    return makeSummary(summary, next);
  }
};
} // namespace dsl

} // namespace tg

#endif // TG_GRAPH_SUMMARIES_H
