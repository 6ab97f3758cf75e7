//===- TensorSummaries.cpp - statistics of parameters and activations -----===//
#include "compiler/frontend/summaries/TrainingSummaries.h"

#include <regex>

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

using Kind = SummaryPart::Kind;

bool dsl::isMainTower() {
  const TowerContext *tower = currentTowerContext();
  return !tower || tower->isMainTrainingTower();
}

std::string dsl::summaryName(const SummaryTensor &summarized) {
  expectDefined(summarized.tensor, summarized.where);
  const BodyPtr &body = summarized.tensor.body();
  if (!summarized.name.empty())
    return cleanTag(summarized.name, body, summarized.where);
  if (body->isEager())
    raise("expected a name for the summary of a tensor of eager mode, found "
          "none",
          body, summarized.where);
  std::string name = body->nameOf(summarized.tensor.id());
  for (const auto &[given, id] : Scopes::of(body).values)
    if (id == summarized.tensor.id())
      name = given;
  // The names of towers are no part of the names of their summaries.
  static const std::regex tower("tower[0-9]+/");
  return std::regex_replace(name.substr(0, name.find(':')), tower, "");
}

Tensor dsl::toStatistic(const Operand &input) {
  return isFloat(input.tensor().dtype()) ? input.tensor() : cast(input, f32);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

static const char *suffixOf(SummaryType type) {
  switch (type) {
  case SummaryType::scalar:
    return "-summary";
  case SummaryType::histogram:
    return "-histogram";
  case SummaryType::sparsity:
    return "-sparsity";
  case SummaryType::mean:
    return "-mean";
  case SummaryType::rms:
    return "-rms";
  }
  return "";
}

/// Returns what the summary of a type shows of a tensor.
static Tensor statisticOf(SummaryType type, const Operand &input) {
  switch (type) {
  case SummaryType::scalar:
  case SummaryType::histogram:
    return input.tensor();
  case SummaryType::sparsity:
    return reduceMean(cast(input == 0, f32));
  case SummaryType::mean:
    return reduceMean(toStatistic(input));
  case SummaryType::rms:
    return sqrt(reduceMean(square(toStatistic(input))));
  }
  return {};
}

/// Makes summaries whose tags begin with the given words.
static SummaryOp addSummaries(const Operand &input, const std::string &tag,
                              const std::vector<SummaryType> &types) {
  const BodyPtr &body = input.tensor().body();
  std::vector<SummaryOp> made;
  for (SummaryType type : types) {
    bool isScalar = input.tensor().rank() == 0;
    if (input.tensor().dtype() == boolean ||
        (type == SummaryType::scalar && !isScalar))
      raise("expected " +
                std::string(type == SummaryType::scalar ? "a scalar number"
                                                        : "numbers") +
                " for summary '" + tag + suffixOf(type) + "', found " +
                toString(input.tensor().dtype()) + " " +
                toString(input.tensor().shape()),
            body, input.where());
    Scope scope(body, "", input.where());
    bool isHistogram = type == SummaryType::histogram;
    made.push_back(
        addSummary(body, {.kind = isHistogram ? Kind::histogram : Kind::scalar,
                          .tag = tag + suffixOf(type),
                          .tensors = {statisticOf(type, input).id()},
                          .isOfTraining = true,
                          .where = input.where()}));
  }
  return mergeSummaries(made, input.where());
}

SummaryOp symbolic::addTensorSummary(const SummaryTensor &summarized,
                                     const std::vector<SummaryType> &types) {
  std::string name = summaryName(summarized);
  if (!isMainTower())
    return {};
  return addSummaries({summarized.tensor, summarized.where},
                      joinPath(summarized.tensor.body()->path(), name), types);
}

SummaryOp
symbolic::addActivationSummary(const SummaryTensor &activation,
                               const std::vector<SummaryType> &types) {
  std::string name = summaryName(activation);
  if (!isMainTower())
    return {};
  const BodyPtr &body = activation.tensor.body();
  if (activation.tensor.rank() < 2) {
    body->warn("no summary of activation '" + name +
                   "', which has fewer than 2 dimensions: " +
                   toString(activation.tensor.shape()),
               activation.where);
    return {};
  }
  return addSummaries({activation.tensor, activation.where},
                      "activation-summary/" + name, types);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Returns the expression of a summary. Throws GraphError if it has none.
static std::regex expressionOf(const ParameterSummary &summary,
                               const BodyPtr &body, Place where) {
  std::string text = summary.regex;
  if (!text.ends_with('$'))
    text += '$';
  try {
    return std::regex(text);
  } catch (const std::regex_error &) {
    raise("expected a regular expression of names of variables, found '" +
              summary.regex + "'",
          body, where);
  }
}

SummaryOp
symbolic::addParamSummary(const std::vector<ParameterSummary> &summaries,
                          std::source_location where) {
  const TowerContext *tower = currentTowerContext();
  Program program = tower ? tower->program() : defaultGraph();
  const BodyPtr &body = program.body();
  std::vector<std::regex> expressions;
  for (const ParameterSummary &summary : summaries)
    expressions.push_back(expressionOf(summary, body, where));
  std::vector<SummaryOp> made;
  if (!isMainTower())
    return {};
  for (const Variable &variable : program.variables())
    for (size_t i = 0; i < summaries.size(); ++i)
      if (variable.isTrainable() &&
          std::regex_search(variable.name(), expressions[i],
                            std::regex_constants::match_continuous))
        made.push_back(addSummaries({variable, where},
                                    "param-summary/" + variable.name(),
                                    summaries[i].types));
  return mergeSummaries(made, where);
}
