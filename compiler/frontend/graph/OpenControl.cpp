//===- OpenControl.cpp - branches and loops being filled ------------------===//
#include "compiler/frontend/graph/OpenControl.h"
#include "compiler/frontend/training/Drops.h"

using namespace tg;
using namespace tg::dsl;

static std::vector<Id> idsOf(const std::vector<Tensor> &tensors) {
  std::vector<Id> ids;
  for (const Tensor &tensor : tensors)
    ids.push_back(tensor.id());
  return ids;
}

static std::vector<Tensor> handlesOf(const BodyPtr &body,
                                     const std::vector<Id> &ids) {
  std::vector<Tensor> tensors;
  for (Id id : ids)
    tensors.emplace_back(body, id);
  return tensors;
}

//===----------------------------------------------------------------------===//
// Ops with regions
//===----------------------------------------------------------------------===//

OpenControl::OpenControl(BodyPtr body, std::string_view op, unsigned regions,
                         const std::vector<std::vector<Id>> &operands,
                         const std::vector<Attribute> &attributes, Place where)
    : body(std::move(body)), where(where),
      depth(take(this->body->beginRegions(op, regions, operands, attributes,
                                          where))) {}

OpenControl::~OpenControl() {
  if (isDone)
    return;
  body->abandonRegions();
  Drops::of(body).clear();
}

LoopValues OpenControl::fill(const RegionFunction &function,
                             const std::vector<TensorType> &arguments) {
  LoopValues values =
      function.run(handlesOf(body, body->beginRegion(arguments, where)));
  body->endRegion();
  return values;
}

std::vector<Tensor>
OpenControl::end(const std::vector<std::vector<Tensor>> &yielded,
                 const std::vector<TensorType> &results) {
  std::vector<std::vector<Id>> ids;
  for (const std::vector<Tensor> &tensors : yielded)
    ids.push_back(idsOf(tensors));
  std::vector<Tensor> made =
      handlesOf(body, take(body->endRegions(ids, results, where)));
  isDone = true;
  return made;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

OpenLoop::OpenLoop(BodyPtr body, std::string_view op, unsigned regions,
                   const std::vector<std::vector<Id>> &operands,
                   const std::vector<Attribute> &attributes, Place where)
    : OpenControl(std::move(body), op, regions, operands, attributes, where) {
  this->body->openLoops.push_back(this);
}

OpenLoop::~OpenLoop() { std::erase(body->openLoops, this); }

Tensor OpenLoop::countIterations(const Tensor &counter, Place where) {
  if (!isCounted)
    addCount();
  isCounted = true;
  return counter * iterationCount(where) +
         Tensor(body, body->lastArgument(depth));
}

OpenWhile::OpenWhile(const BodyPtr &body, const std::vector<Tensor> &inits,
                     const WhileOptions &options, Place where)
    : OpenLoop(body, "while", 2, {idsOf(inits)},
               options.maxTrip
                   ? std::vector<Attribute>{{"max_trip", options.maxTrip}}
                   : std::vector<Attribute>(),
               where),
      maxTrip(options.maxTrip) {}

LoopValues OpenWhile::fill(const RegionFunction &function,
                           const std::vector<TensorType> &arguments) {
  return OpenControl::fill({function.parameters,
                            [&](const std::vector<Tensor> &values) {
                              LoopValues yielded = function.run(values);
                              if (isCounted)
                                next =
                                    Tensor(body, body->lastArgument(depth)) + 1;
                              return yielded;
                            },
                            function.values},
                           arguments);
}

std::vector<Tensor> OpenWhile::end(std::vector<std::vector<Tensor>> yielded,
                                   std::vector<TensorType> results) {
  if (isCounted) {
    yielded.back().push_back(next);
    results.push_back(next.type());
  }
  std::vector<Tensor> made = OpenControl::end(yielded, results);
  made.resize(made.size() - isCounted);
  return made;
}

void OpenWhile::addCount() {
  TopLevel outside(body);
  body->appendOperand(depth, scalar(body, 0, i64, where).id(), {i64, {}});
}

/// The factor if the number of iterations is unknown, a prime near 2^32 divided
/// by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4). The
/// counters of two steps are equal only after that many iterations. The factor
/// is odd, so nested loops lose no bits modulo 2^64.
static constexpr double kManyIterations = 2654435761;

Tensor OpenWhile::iterationCount(Place where) {
  return scalar(body, maxTrip ? double(maxTrip) : kManyIterations, i64, where);
}

/// Returns the attributes of a scan.
static std::vector<Attribute> attributesOf(const ScanOptions &options) {
  std::vector<Attribute> attributes = {{"segments", options.segments}};
  if (options.length)
    attributes.push_back({"length", *options.length});
  if (options.reverse)
    attributes.push_back({"reverse", Attribute::Flag()});
  return attributes;
}

OpenScan::OpenScan(const BodyPtr &body, const std::vector<Tensor> &inits,
                   const std::vector<Tensor> &inputs,
                   const ScanOptions &options, Place where)
    : OpenLoop(body, "scan", 1, {idsOf(inits), idsOf(inputs)},
               attributesOf(options), where),
      inputs(inputs), length(options.length) {}

void OpenScan::addCount() {
  TopLevel outside(body, depth);
  Extent extent = length ? Extent(*length) : inputs[0].shape()[0];
  std::vector<Operand> unknown;
  if (!extent.isKnown())
    unknown.push_back(extentOf(Operand(inputs[0], where), 0));
  Tensor indices = iota(body, {extent.value}, unknown, 0, i64, where);
  body->appendOperand(depth, indices.id(), {i64, {}}, "length");
}

Tensor OpenScan::iterationCount(Place where) {
  if (length)
    return scalar(body, double(*length), i64, where);
  return extentOf(Operand(inputs[0], where), 0);
}
