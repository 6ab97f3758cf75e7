//===- Eager.cpp - the implementation of eager bodies ---------------------===//
#include "compiler/frontend/eager/Eager.h"
#include "compiler/frontend/eager/Engine.h"
#include "dialects/tg/ops/movement/ConstantOps.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// Returns the engine of an eager body.
static Engine &engineOf(const Body &body) {
  return static_cast<Engine &>(*body.evaluator());
}

template <bool isExact>
static std::unique_ptr<EagerEvaluator> createEngine(Body &body,
                                                    Body::Impl &impl) {
  return std::make_unique<Engine>(body, impl, isExact);
}

std::shared_ptr<Body> dsl::createEagerBody(std::string name, bool isExact,
                                           Place where) {
  return Body::create(std::move(name), where,
                      isExact ? createEngine<true> : createEngine<false>);
}

void dsl::watch(Body &body, TapeState &tape, Id value) {
  engineOf(body).watch(tape, value);
}

void dsl::closeTape(Body &body, const TapeState &tape) {
  engineOf(body).close(tape);
}

Result<std::vector<std::optional<Id>>>
dsl::tapeGradient(Body &body, const TapeState &tape, Id target,
                  std::span<const Id> sources, Place where) {
  return engineOf(body).gradient(&tape, target, sources, where);
}

dsl::UnrecordedScope::UnrecordedScope(Body &body) : body(&body) {
  engineOf(body).beginUnrecorded();
}

dsl::UnrecordedScope::~UnrecordedScope() {
  if (body)
    (void)end();
}

std::vector<Id> dsl::UnrecordedScope::end() {
  return engineOf(*std::exchange(body, nullptr)).endUnrecorded();
}

bool dsl::isRecorded(const Body &body, Id value) {
  return engineOf(body).isRecorded(value);
}

void dsl::setChecksNumerics(Body &body, bool checks) {
  engineOf(body).checksNumerics = checks;
}

void dsl::setSeed(Body &body, int64_t seed) { engineOf(body).seed = seed; }

EagerSize dsl::sizeOf(const Body &body) {
  return {engineOf(body).countValues(), engineOf(body).countRecorded()};
}
