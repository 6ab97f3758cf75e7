//===- OptimizerNames.cpp - optimizers by name ----------------------------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/graph/optimizer.h"

#include <algorithm>
#include <cctype>

using namespace tg;

namespace {
/// The name of an optimizer and the function that constructs it.
struct NamedOptimizer {
  const char *name;
  std::unique_ptr<BaseOptimizer> (*make)(Schedule rate);
};
} // namespace

/// Constructs an optimizer with a learning rate and the defaults of its other
/// options.
template <typename Kind, typename Options>
static std::unique_ptr<BaseOptimizer> makeOptimizer(Schedule rate) {
  Options options;
  options.learningRate = std::move(rate);
  return std::make_unique<Kind>(options);
}

/// The optimizers of optimizer.h; the table must have a row for each.
static constexpr NamedOptimizer kOptimizers[] = {
    {"Adadelta", makeOptimizer<Adadelta, AdadeltaOptions>},
    {"Adagrad", makeOptimizer<Adagrad, AdagradOptions>},
    {"Adam", makeOptimizer<Adam, AdamOptions>},
    {"AdamW", makeOptimizer<AdamW, AdamWOptions>},
    {"Ftrl", makeOptimizer<Ftrl, FtrlOptions>},
    {"Lamb", makeOptimizer<Lamb, LambOptions>},
    {"Momentum", makeOptimizer<Momentum, MomentumOptions>},
    {"RMSProp", makeOptimizer<RMSProp, RMSPropOptions>},
    {"SGD", makeOptimizer<SGD, SGDOptions>},
};

/// Returns true if two names are equal except for case.
static bool isSameName(const std::string &lhs, const std::string &rhs) {
  return std::equal(lhs.begin(), lhs.end(), rhs.begin(), rhs.end(),
                    [](unsigned char a, unsigned char b) {
                      return std::tolower(a) == std::tolower(b);
                    });
}

std::vector<std::string> tg::optimizerNames() {
  std::vector<std::string> names;
  for (const NamedOptimizer &optimizer : kOptimizers)
    names.push_back(optimizer.name);
  return names;
}

std::unique_ptr<BaseOptimizer> tg::createOptimizer(const std::string &name,
                                                   Schedule learningRate,
                                                   std::source_location where) {
  std::string known;
  for (const NamedOptimizer &optimizer : kOptimizers) {
    if (isSameName(name, optimizer.name))
      return optimizer.make(std::move(learningRate));
    known += (known.empty() ? "" : ", ") + std::string(optimizer.name);
  }
  throw GraphError(
      "expected an optimizer of " + known + ", found '" + name + "'", where);
}
