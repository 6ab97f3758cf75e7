//===- LayerMistakes.cpp - error messages that name a layer ---------------===//
#include "compiler/frontend/nn/LayerMistakes.h"

using namespace tg;
using namespace tg::dsl;

/// Returns true if a message begins with the name of a layer, "'net/Conv2D_1':
/// ", or with the open path, which names an inner layer.
static bool beginsWithName(const std::string &sentence,
                           const std::string &path) {
  size_t end = sentence.find('\'', 1);
  return (!path.empty() && sentence.starts_with(path)) ||
         (sentence.front() == '\'' && end != std::string::npos &&
          sentence.compare(end, 3, "': ") == 0);
}

/// Returns an error about the first input whose elements are floats (if
/// `isFloats` is true) or not floats (otherwise): "input must be float, found
/// i32 [n, 3]". Returns "" if there is no such input.
static std::string findInput(const std::vector<TensorType> &inputs,
                             bool isFloats, const std::string &expected) {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (isFloat(inputs[i].dtype) == isFloats)
      return "input " + (inputs.size() > 1 ? std::to_string(i) + " " : "") +
             "must be " + expected + ", found " + toString(inputs[i].dtype) +
             " " + toString(inputs[i].shape);
  return "";
}

std::string dsl::floatInputError(const std::vector<TensorType> &inputs) {
  return findInput(inputs, /*isFloats=*/false, "float");
}

/// Returns an error about the inputs of a layer if the message reports an op of
/// the layer with operands of the wrong kind of element type. Returns "" for
/// any other message.
static std::string findKind(std::string_view sentence, const std::string &path,
                            const std::vector<TensorType> &inputs) {
  auto says = [&](std::string_view words) {
    return sentence.find(words) != sentence.npos;
  };
  // The message is about a number in an operation with integers, or about an op
  // of the layer itself.
  if (sentence.starts_with("expected a whole number with integer operands"))
    return floatInputError(inputs);
  if (!sentence.starts_with("'" + path + "': 'tg."))
    return "";
  if (says("of floats, found") || says("expected element_type f32 or f64"))
    return floatInputError(inputs);
  if (says("of indices (i32 or i64), found"))
    return findInput(inputs, /*isFloats=*/true, "i32 or i64");
  return "";
}

GraphError dsl::nameLayer(const GraphError &error, const BodyPtr &body,
                          const std::vector<TensorType> &inputs) {
  std::string sentence = error.message;
  std::string path = body->path();
  std::string mistake = findKind(sentence, path, inputs);
  if (!mistake.empty())
    sentence = path + ": " + mistake;
  else if (!beginsWithName(sentence, path))
    sentence = "'" + path + "': " + sentence;
  return GraphError(sentence, error.file, error.line, error.column,
                    error.others);
}
