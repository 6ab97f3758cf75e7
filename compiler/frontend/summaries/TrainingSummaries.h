//===- TrainingSummaries.h - parts of the summaries of training steps -----===//
#ifndef TG_COMPILER_FRONTEND_SUMMARIES_TRAININGSUMMARIES_H
#define TG_COMPILER_FRONTEND_SUMMARIES_TRAININGSUMMARIES_H

#include "compiler/frontend/summaries/Summaries.h"
#include "compiler/frontend/symbolic/Call.h"
#include "tg/symbolic/Summaries.h"

namespace tg::dsl {

/// Returns true outside of towers and in the main training tower.
bool isMainTower();
/// Returns the name of the summaries of a tensor. Throws GraphError if there is
/// none.
std::string summaryName(const symbolic::SummaryTensor &summarized);
/// Returns a tensor of numbers as f32, or f64 as it is.
Tensor toStatistic(const Operand &input);

} // namespace tg::dsl

#endif // TG_COMPILER_FRONTEND_SUMMARIES_TRAININGSUMMARIES_H
