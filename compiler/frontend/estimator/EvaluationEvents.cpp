//===- EvaluationEvents.cpp - event files of evaluations ------------------===//
#include "compiler/frontend/estimator/EvaluationEvents.h"

using namespace tg;
using namespace tg::estimator;

void EvaluationEvents::write(uint64_t step, const EvaluationNumbers &numbers) {
  const auto at = static_cast<int64_t>(step);
  if (!writer)
    writer = std::make_unique<training::EventWriter>(
        directory, training::EventWriterOptions{.startStep = at});
  for (const auto &[tag, value] : numbers.values)
    writer->addScalar(tag, value, at);
  writer->add(numbers.summary, at);
  writer->flush();
}
