//===- Summaries.cpp - summaries of tensors -------------------------------===//
#include "compiler/frontend/summaries/Summaries.h"

#include "compiler/frontend/graph/Elements.h"
#include "compiler/frontend/symbolic/Call.h"

#include <algorithm>
#include <cctype>
#include <cstring>

using namespace tg;
using namespace tg::dsl;

using Kind = SummaryPart::Kind;

Summaries &Summaries::of(const BodyPtr &body) {
  return extensionOf<Summaries>(body, "summaries");
}

//===----------------------------------------------------------------------===//
// Tags
//===----------------------------------------------------------------------===//

std::string dsl::cleanTag(const std::string &name, const BodyPtr &body,
                          Place where) {
  std::string clean =
      name.substr(std::min(name.find_first_not_of('/'), name.size()));
  for (char &letter : clean)
    if (!std::isalnum(static_cast<unsigned char>(letter)) &&
        !std::strchr("_./-", letter))
      letter = '_';
  if (clean.empty())
    raise("expected the name of a summary, found '" + name + "'", body, where);
  return clean;
}

namespace {
/// A name scope for the ops of a summary of a tensor, whose path is the tag.
class TagScope {
public:
  TagScope(const std::string &name, const Operand &input)
      : body(input.tensor().body()) {
    // Names all ops so far, since the tag depends on the names that they take.
    if (!body->isEager())
      body->nameOf(input.tensor().id());
    std::string clean = cleanTag(name, body, input.where());
    take(body->pushUniqueScope(clean, input.where()));
  }
  ~TagScope() { body->popScope(); }
  TagScope(const TagScope &) = delete;

  std::string tag() const { return body->path(); }

private:
  BodyPtr body;
};
} // namespace

//===----------------------------------------------------------------------===//
// Summaries of a program
//===----------------------------------------------------------------------===//

/// Returns the elements of a tensor of eager mode.
static Array arrayOf(const BodyPtr &body, Id id, Place where) {
  TensorType type = body->type(id);
  std::vector<int64_t> shape;
  for (const Extent &extent : type.shape)
    shape.push_back(extent.value);
  Array array(type.dtype, shape, where);
  std::span<const char> bytes = *body->bytesOf(id);
  std::copy(bytes.begin(), bytes.end(), static_cast<char *>(array.data()));
  return array;
}

/// Computes a summary in eager mode and remembers it.
static void compute(SummaryOp &summary, const SummaryPart &part) {
  std::vector<Array> arrays;
  for (Id id : part.tensors)
    arrays.push_back(arrayOf(summary.owner, id, part.where));
  addValue(part, arrays, summary.computed);
  Summaries &all = Summaries::of(summary.owner);
  if (all.values.insert_or_assign(part.tag, summary.computed).second)
    all.order.push_back(part.tag);
}

SummaryOp dsl::addSummary(const BodyPtr &body, SummaryPart part) {
  SummaryOp summary;
  summary.owner = body;
  if (body->isEager()) {
    compute(summary, part);
    summary.names = {part.tag};
    return summary;
  }
  Summaries &all = Summaries::of(body);
  const symbolic::TowerContext *tower = symbolic::currentTowerContext();
  part.isOfTraining |= tower && tower->isMainTrainingTower();
  std::string base = part.tag;
  for (unsigned number = 1; !all.tags.insert(part.tag).second; ++number)
    part.tag = base + "_" + std::to_string(number);
  summary.names = {part.tag};
  summary.parts = {std::make_shared<const SummaryPart>(std::move(part))};
  if (!symbolic::Collections::of(body).freezesUpdates)
    all.parts.push_back(summary.parts.front());
  return summary;
}

const training::Summary &SummaryOp::value(std::source_location where) const & {
  if (owner && !owner->isEager())
    raise("expected a summary of eager mode, found one of a graph, which has a "
          "value when a session runs it",
          owner, where);
  return computed;
}

//===----------------------------------------------------------------------===//
// Scalars and histograms
//===----------------------------------------------------------------------===//

/// Describes a tensor for a message: "f32 [2, 3]".
static std::string describe(const Tensor &tensor) {
  return toString(tensor.dtype()) + " " + toString(tensor.shape());
}

SummaryOp tg::summaryScalar(const std::string &name, Operand value) {
  const BodyPtr &body = value.tensor().body();
  if (value.tensor().rank() != 0 || value.tensor().dtype() == boolean)
    raise("expected a scalar number for summary '" + name + "', found " +
              describe(value.tensor()),
          body, value.where());
  TagScope scope(name, value);
  return addSummary(body, {.kind = Kind::scalar,
                           .tag = scope.tag(),
                           .tensors = {value.tensor().id()},
                           .where = value.where()});
}

SummaryOp tg::summaryHistogram(const std::string &name, Operand values) {
  const BodyPtr &body = values.tensor().body();
  if (values.tensor().dtype() == boolean)
    raise("expected numbers for summary '" + name + "', found " +
              describe(values.tensor()),
          body, values.where());
  TagScope scope(name, values);
  return addSummary(body, {.kind = Kind::histogram,
                           .tag = scope.tag(),
                           .tensors = {values.tensor().id()},
                           .where = values.where()});
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

static void checkImages(const std::string &name, const Operand &images,
                        int64_t maxOutputs) {
  const Tensor &tensor = images.tensor();
  bool hasType = isByte(tensor.dtype()) || isFloat(tensor.dtype());
  Shape shape = tensor.shape();
  bool hasShape = shape.size() == 4;
  if (hasShape && shape[3].isKnown())
    hasShape =
        shape[3].value == 1 || shape[3].value == 3 || shape[3].value == 4;
  if (!hasType || !hasShape)
    raise("expected images [n, height, width, 1, 3 or 4] of u8 or floats for "
          "summary '" +
              name + "', found " + describe(tensor),
          tensor.body(), images.where());
  if (maxOutputs < 1)
    raise("expected at least 1 image for summary '" + name + "', found " +
              std::to_string(maxOutputs),
          tensor.body(), images.where());
}

/// Returns the first rows of a tensor if it has more of them. Of dynamically
/// many rows, which may be fewer, it returns all.
static Tensor firstRows(const Operand &input, int64_t count) {
  Extent rows = input.tensor().shape().front();
  if (!rows.isKnown() || rows.value <= count)
    return input.tensor();
  return input.tensor()[Index(Slice(0, count), input.where())];
}

SummaryOp tg::summaryImage(const std::string &name, Operand images,
                           int64_t maxOutputs) {
  checkImages(name, images, maxOutputs);
  const BodyPtr &body = images.tensor().body();
  TagScope scope(name, images);
  return addSummary(body, {.kind = Kind::image,
                           .tag = scope.tag(),
                           .tensors = {firstRows(images, maxOutputs).id()},
                           .options = {.maxOutputs = maxOutputs},
                           .where = images.where()});
}

static void checkLabels(const std::string &name, const Operand &images,
                        const Operand &labels, int64_t fontSize) {
  const Tensor &tensor = labels.tensor();
  const BodyPtr &body = bodyOf({images, labels});
  Shape shape = tensor.shape();
  Extent count = images.tensor().shape().front();
  if (shape.size() != 1 || tensor.dtype() == boolean ||
      (shape[0].isKnown() && count.isKnown() && shape[0].value != count.value))
    raise("expected a number for each of the images " +
              toString(images.tensor().shape()) + " as labels of summary '" +
              name + "', found " + describe(tensor),
          body, labels.where());
  if (fontSize < 8 || fontSize > 128)
    raise("expected a font size of 8 to 128 for summary '" + name +
              "', found " + std::to_string(fontSize),
          body, labels.where());
}

SummaryOp tg::summaryLabeledImage(const std::string &name, Operand images,
                                  Operand labels,
                                  const LabeledImageOptions &options) {
  checkImages(name, images, options.maxOutputs);
  checkLabels(name, images, labels, options.fontSize);
  const BodyPtr &body = images.tensor().body();
  TagScope scope(name, images);
  Tensor shown = firstRows(images, options.maxOutputs);
  Tensor texts = firstRows(labels, options.maxOutputs);
  return addSummary(body, {.kind = Kind::labeledImage,
                           .tag = scope.tag(),
                           .tensors = {shown.id(), texts.id()},
                           .options = options,
                           .where = images.where()});
}

//===----------------------------------------------------------------------===//
// Several summaries
//===----------------------------------------------------------------------===//

SummaryOp tg::mergeAllSummaries() { return mergeAllSummaries(defaultGraph()); }

SummaryOp tg::mergeAllSummaries(const Program &program) {
  const BodyPtr &body = program.body();
  Summaries &all = Summaries::of(body);
  SummaryOp merged;
  merged.owner = body;
  merged.parts = all.parts;
  for (const std::shared_ptr<const SummaryPart> &part : all.parts)
    merged.names.push_back(part->tag);
  for (const std::string &tag : all.order)
    merged.computed.merge(all.values.at(tag));
  merged.names.insert(merged.names.end(), all.order.begin(), all.order.end());
  all.values.clear();
  all.order.clear();
  return merged;
}

SummaryOp tg::mergeSummaries(const std::vector<SummaryOp> &summaries,
                             std::source_location where) {
  SummaryOp merged;
  for (const SummaryOp &each : summaries) {
    if (merged.owner && each.owner && merged.owner != each.owner)
      raise("expected summaries of one program, found those of '" +
                merged.owner->name() + "' and '" + each.owner->name() + "'",
            merged.owner, where);
    if (each.owner)
      merged.owner = each.owner;
    merged.parts.insert(merged.parts.end(), each.parts.begin(),
                        each.parts.end());
    merged.names.insert(merged.names.end(), each.names.begin(),
                        each.names.end());
    merged.computed.merge(each.computed);
  }
  return merged;
}

/// Returns the scalars of summaries, or those of training steps alone.
static std::vector<Output> scalarsOf(const BodyPtr &body, bool ofTraining) {
  std::vector<Output> outputs;
  for (const auto &part : Summaries::of(body).parts)
    if (part->kind == Kind::scalar && (part->isOfTraining || !ofTraining))
      outputs.push_back({part->tag, Tensor(body, part->tensors.front())});
  return outputs;
}

std::vector<Output> tg::summaryOutputs(const Program &program) {
  return scalarsOf(program.body(), /*ofTraining=*/false);
}

std::vector<Output> dsl::trainingOutputs(const BodyPtr &body) {
  return scalarsOf(body, /*ofTraining=*/true);
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

void dsl::listSummary(const SummaryOp &summary, std::vector<Fetch> &fetches,
                      std::source_location where) {
  if (summary.owner && summary.owner->isEager())
    raise("expected a summary of a graph as fetch, found one of eager mode, "
          "which has a value",
          summary.owner, where);
  for (const std::shared_ptr<const SummaryPart> &part : summary.parts)
    for (Id id : part->tensors)
      addTo(fetches, Fetch(Tensor(summary.owner, id), where));
}

training::Summary dsl::makeSummary(const SummaryOp &summary,
                                   const Array *&next) {
  training::Summary made;
  for (const std::shared_ptr<const SummaryPart> &part : summary.parts) {
    addValue(*part, {next, part->tensors.size()}, made);
    next += part->tensors.size();
  }
  return made;
}
