//===- Activation.cpp - activations by name -------------------------------===//
#include "tg/nn/layer.h"
#include "tg/tensor/error.h"

#include <algorithm>
#include <map>

using namespace tg;

using Callable = Tensor (*)(Operand);

namespace {
/// An activation of functional.h with its defaults.
struct NamedActivation {
  Callable callable;
  /// True for relu and similar functions. heNormal() is the initializer of
  /// weights before them.
  bool isRectifier = false;
};
} // namespace

using Activations = std::map<std::string, NamedActivation, std::less<>>;

static const Activations &activations() {
// A function that has options, without them.
#define TG_DEFAULTS(name) [](Operand input) { return name(std::move(input)); }
  static const Activations table = {
      {"elu", {TG_DEFAULTS(elu), true}},
      {"exp", {exp}},
      {"gelu", {gelu, true}},
      {"hardSigmoid", {hardSigmoid}},
      {"hardSwish", {hardSwish, true}},
      {"leakyRelu", {TG_DEFAULTS(leakyRelu), true}},
      {"logSigmoid", {logSigmoid}},
      {"logSoftmax", {TG_DEFAULTS(logSoftmax)}},
      {"mish", {mish, true}},
      {"relu", {relu, true}},
      {"relu6", {relu6, true}},
      {"selu", {selu}},
      {"sigmoid", {sigmoid}},
      {"silu", {silu, true}},
      {"softmax", {TG_DEFAULTS(softmax)}},
      {"softplus", {softplus}},
      {"softsign", {softsign}},
      {"tanh", {tanh}}};
#undef TG_DEFAULTS
  return table;
}

Activation::Activation(Tensor (*callable)(Operand)) : function(callable) {}

Activation::Activation(const char *name, std::source_location where) {
  std::string_view word = name;
  if (word.empty() || word == "linear")
    return;
  auto found = activations().find(word);
  if (found != activations().end()) {
    function = found->second.callable;
    return;
  }
  std::string known;
  for (const auto &[other, activation] : activations())
    known += ", " + other;
  throw GraphError("expected an activation, one of linear" + known +
                       ", found '" + std::string(word) + "'",
                   where);
}

bool Activation::isRectifier() const {
  const Callable *callable = function.target<Callable>();
  if (!callable)
    return false;
  return std::ranges::any_of(activations(), [&](const auto &named) {
    return named.second.isRectifier && named.second.callable == *callable;
  });
}

Initializer tg::weightInitializerFor(const Activation &activation,
                                     std::optional<Fans> fans) {
  return activation.isRectifier() ? heNormal(fans) : glorotUniform(fans);
}
