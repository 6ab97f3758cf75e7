//===- Merge.cpp - merges of tensors at nodes -----------------------------===//
#include "tg/nn/merge.h"
#include "compiler/frontend/graph/Build.h"

using namespace tg;
using namespace tg::dsl;

using Tensors = std::vector<Tensor>;

/// Returns the tensors as operands with the node's line.
static std::vector<Operand> operandsOf(const Tensors &inputs, Place where) {
  std::vector<Operand> operands;
  for (const Tensor &input : inputs)
    operands.emplace_back(input, where);
  return operands;
}

/// Throws unless there are two tensors; the message names them.
static void expectPair(const Tensors &inputs, const char *names, Place where) {
  if (inputs.size() != 2)
    raise(std::string("expected two inputs to merge, ") + names + ", found " +
              std::to_string(inputs.size()),
          inputs.front().body(), where);
}

Tensors Sum::merge(const Tensors &inputs, Place where) const {
  return {addN(operandsOf(inputs, where))};
}

Tensors Mean::merge(const Tensors &inputs, Place where) const {
  if (inputs.size() == 1)
    return inputs;
  Operand sum(addN(operandsOf(inputs, where)), where);
  return {sum / static_cast<double>(inputs.size())};
}

Tensors Concat::merge(const Tensors &inputs, Place where) const {
  if (inputs.size() == 1)
    return inputs;
  return {concat(operandsOf(inputs, where), options.axis)};
}

Tensors Multiply::merge(const Tensors &inputs, Place where) const {
  Tensor product = inputs.front();
  for (size_t i = 1; i < inputs.size(); ++i)
    product = Operand(product, where) * Operand(inputs[i], where);
  return {product};
}

Tensors Select::merge(const Tensors &inputs, Place where) const {
  if (options.index < 0 || options.index >= int64_t(inputs.size()))
    raise("expected an index below the number of inputs (" +
              std::to_string(inputs.size()) + "), found " +
              std::to_string(options.index),
          inputs.front().body(), where);
  return {inputs[options.index]};
}

Tensors NoChange::merge(const Tensors &inputs, Place) const { return inputs; }

Tensors SequenceMask::merge(const Tensors &inputs, Place where) const {
  expectPair(inputs, "a sequence and its lengths", where);
  Operand sequence(inputs[0], where);
  return {select(sequenceMask(inputs[1], sequence), sequence, 0.0)};
}

Tensors MaskSoftmax::merge(const Tensors &inputs, Place where) const {
  expectPair(inputs, "rows and their lengths", where);
  Operand rows(inputs[0], where);
  return {maskedSoftmax(rows, sequenceMask(inputs[1], rows))};
}

Tensors SelectedMaskSoftmax::merge(const Tensors &inputs, Place where) const {
  expectPair(inputs, "rows and a mask", where);
  return {maskedSoftmax({inputs[0], where},
                        Operand(cast({inputs[1], where}, boolean), where))};
}
