//===- LayerMistakes.cpp - mistakes in the terms of a layer ---------------===//
#include "compiler/frontend/dsl/LayerMistakes.h"

using namespace tg;
using namespace tg::dsl;

/// Whether a sentence begins with the name of a layer: "'net/Conv2D_1': ", or
/// with the path that is open, which names one inside.
static bool beginsWithName(const std::string &sentence,
                           const std::string &path) {
  size_t end = sentence.find('\'', 1);
  return (!path.empty() && sentence.starts_with(path)) ||
         (sentence.front() == '\'' && end != std::string::npos &&
          sentence.compare(end, 3, "': ") == 0);
}

std::string dsl::findIntegers(const std::vector<TensorType> &inputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!isFloat(inputs[i].dtype))
      return "input " + (inputs.size() > 1 ? std::to_string(i) + " " : "") +
             "must be float, found " + toString(inputs[i].dtype) + " " +
             toString(inputs[i].shape);
  return "";
}

/// Returns true if a sentence says of an op of the layer itself that it takes
/// floats alone.
static bool wantsFloats(const std::string &sentence, const std::string &path) {
  return sentence.starts_with("'" + path + "': 'tg.") &&
         sentence.ends_with("[G6]") &&
         sentence.find("of floats") != std::string::npos;
}

GraphError dsl::nameLayer(const GraphError &error, const Bodies &body,
                          const std::vector<TensorType> &inputs) {
  std::string sentence = error.message, path = body->path();
  std::string integers =
      wantsFloats(sentence, path) ? findIntegers(inputs) : "";
  if (!integers.empty())
    sentence = path + ": " + integers;
  else if (!beginsWithName(sentence, path))
    sentence = "'" + path + "': " + sentence;
  return GraphError(sentence, error.file, error.line, error.column,
                    error.others);
}
