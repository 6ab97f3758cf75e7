//===- Activation.cpp - activations by name -------------------------------===//
#include "tg/nn/layer.h"
#include "tg/tensor/error.h"

#include <map>

using namespace tg;

using Callable = Tensor (*)(Operand);
using Functions = std::map<std::string, Callable, std::less<>>;

/// Returns the activations of functional.h by name, with their defaults.
static const Functions &functions() {
#define TG_NAMED(name)                                                         \
  {                                                                            \
    #name, [](Operand input) { return name(std::move(input)); }                \
  }
  static const Functions table = {
      TG_NAMED(elu),      TG_NAMED(exp),         TG_NAMED(gelu),
      TG_NAMED(silu),     TG_NAMED(hardSigmoid), TG_NAMED(hardSwish),
      TG_NAMED(mish),     TG_NAMED(leakyRelu),   TG_NAMED(logSigmoid),
      TG_NAMED(relu),     TG_NAMED(logSoftmax),  TG_NAMED(relu6),
      TG_NAMED(selu),     TG_NAMED(sigmoid),     TG_NAMED(softmax),
      TG_NAMED(softplus), TG_NAMED(softsign),    TG_NAMED(tanh)};
#undef TG_NAMED
  return table;
}

Activation::Activation(Tensor (*callable)(Operand)) : function(callable) {}

Activation::Activation(const char *name, std::source_location where) {
  std::string_view word = name;
  if (word.empty() || word == "linear")
    return;
  auto found = functions().find(word);
  if (found != functions().end()) {
    function = found->second;
    return;
  }
  std::string known;
  for (const auto &[other, callable] : functions())
    known += ", " + other;
  throw GraphError("expected an activation, one of linear" + known +
                       ", found '" + std::string(word) + "'",
                   where);
}

bool Activation::isRectifier() const {
  const Callable *callable = function.target<Callable>();
  if (!callable)
    return false;
  for (Callable plain : {relu, relu6, gelu, silu, mish, hardSwish})
    if (*callable == plain)
      return true;
  for (const char *name : {"relu", "relu6", "leakyRelu", "elu", "gelu", "silu",
                           "mish", "hardSwish"})
    if (*callable == functions().at(name))
      return true;
  return false;
}

Initializer tg::weightInitializerFor(const Activation &activation,
                                     std::optional<Fans> fans) {
  return activation.isRectifier() ? heNormal(fans) : glorotUniform(fans);
}
