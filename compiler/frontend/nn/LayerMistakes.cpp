//===- LayerMistakes.cpp - mistakes in the terms of a layer ---------------===//
#include "compiler/frontend/nn/LayerMistakes.h"

using namespace tg;
using namespace tg::dsl;

/// Returns true if a sentence begins with the name of a layer: "'net/Conv2D_1':
/// ", or with the path that is open, which names one inside.
static bool beginsWithName(const std::string &sentence,
                           const std::string &path) {
  size_t end = sentence.find('\'', 1);
  return (!path.empty() && sentence.starts_with(path)) ||
         (sentence.front() == '\'' && end != std::string::npos &&
          sentence.compare(end, 3, "': ") == 0);
}

/// Returns what is wrong with the first input whose elements are floats or are
/// none: "input must be float, found i32 [n, 3]"; "" without such an input.
static std::string findInput(const std::vector<TensorType> &inputs,
                             bool isFloats, const std::string &wanted) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (isFloat(inputs[i].dtype) == isFloats)
      return "input " + (inputs.size() > 1 ? std::to_string(i) + " " : "") +
             "must be " + wanted + ", found " + toString(inputs[i].dtype) +
             " " + toString(inputs[i].shape);
  return "";
}

std::string dsl::findIntegers(const std::vector<TensorType> &inputs) {
  return findInput(inputs, /*isFloats=*/false, "float");
}

/// Returns what is wrong with the inputs of a layer, where an op of it was
/// given elements of another kind; "" for any other mistake.
static std::string findKind(std::string_view sentence, const std::string &path,
                            const std::vector<TensorType> &inputs) {
  auto says = [&](std::string_view words) {
    return sentence.find(words) != sentence.npos;
  };
  // Numbers beside integers, and what was told of an op of the layer itself.
  if (sentence.starts_with("expected a whole number beside integers"))
    return findIntegers(inputs);
  if (!sentence.starts_with("'" + path + "': 'tg."))
    return "";
  if (says("of floats, found") || says("expected element_type f32 or f64"))
    return findIntegers(inputs);
  if (says("of indices (i32 or i64), found"))
    return findInput(inputs, /*isFloats=*/true, "i32 or i64");
  return "";
}

GraphError dsl::nameLayer(const GraphError &error, const Bodies &body,
                          const std::vector<TensorType> &inputs) {
  std::string sentence = error.message, path = body->path();
  std::string mistake = findKind(sentence, path, inputs);
  if (!mistake.empty())
    sentence = path + ": " + mistake;
  else if (!beginsWithName(sentence, path))
    sentence = "'" + path + "': " + sentence;
  return GraphError(sentence, error.file, error.line, error.column,
                    error.others);
}
