//===- Eager.cpp - the implementation of eager bodies ---------------------===//
#include "compiler/frontend/eager/Eager.h"
#include "compiler/frontend/eager/Engine.h"
#include "dialects/tg/ops/elementwise/ConstantOps.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

//===----------------------------------------------------------------------===//
// Functions of Body for both modes
//===----------------------------------------------------------------------===//

bool Body::isEager() const { return impl->engine != nullptr; }
Engine *Body::engine() const { return impl->engine.get(); }

std::shared_ptr<const void> Body::hold(Id value) {
  return impl->engine ? impl->engine->hold(shared_from_this(), value) : nullptr;
}

std::optional<std::span<const char>> Body::bytesOf(Id value) const {
  if (!impl->engine)
    return std::nullopt;
  const HostTensor &tensor = impl->engine->valueOf(value);
  return std::span(tensor.data(), tensor.getNumBytes());
}

Result<Id> Body::fromBytes(const tg::TensorType &type,
                           std::span<const char> bytes, Place where) {
  RankedTensorType converted = impl->convert(type);
  HostTensor tensor(converted.getElementType(), converted.getShape());
  std::copy(bytes.begin(), bytes.end(), tensor.data());
  if (impl->engine)
    return {impl->engine->add(std::move(tensor))};
  Operation *op = ConstantOp::create(*impl->builder, impl->locate(where),
                                     tensor.toAttribute());
  return {impl->add(op->getResult(0))};
}

void Body::restartStreams() { impl->streams = 0; }

//===----------------------------------------------------------------------===//
// Eager bodies
//===----------------------------------------------------------------------===//

void dsl::watch(Body &body, TapeState &tape, Id value) {
  body.engine()->watch(tape, value);
}

void dsl::closeTape(Body &body, const TapeState &tape) {
  body.engine()->close(tape);
}

Result<std::vector<std::optional<Id>>>
dsl::tapeGradient(Body &body, const TapeState &tape, Id target,
                  std::span<const Id> sources, Place where) {
  return body.engine()->gradient(&tape, target, sources, where);
}

dsl::Trial::Trial(Body &body) : body(&body) { body.engine()->beginTrial(); }

dsl::Trial::~Trial() {
  if (body)
    (void)end();
}

std::vector<Id> dsl::Trial::end() {
  return std::exchange(body, nullptr)->engine()->endTrial();
}

bool dsl::isRecorded(const Body &body, Id value) {
  return body.engine()->isRecorded(value);
}

void dsl::setChecksNumerics(Body &body, bool checks) {
  body.engine()->checksNumerics = checks;
}

void dsl::setSeed(Body &body, int64_t seed) { body.engine()->seed = seed; }

EagerSize dsl::sizeOf(const Body &body) {
  return {body.engine()->countValues(), body.engine()->countRecorded()};
}
