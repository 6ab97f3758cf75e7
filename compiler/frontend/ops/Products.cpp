//===- Products.cpp - tensor contractions by named dimensions -------------===//
#include "compiler/frontend/graph/Build.h"
#include "tg/tensor/functional.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>

using namespace tg;
using namespace tg::dsl;

namespace {
/// The name of a dimension: a letter, or a negative number for a dimension of
/// an ellipsis, counted from the end.
using Label = int;
using Labels = std::vector<Label>;

/// A tensor with named dimensions.
struct Named {
  Operand tensor;
  Labels labels;

  int64_t axisOf(Label label) const {
    return std::find(labels.begin(), labels.end(), label) - labels.begin();
  }
  bool has(Label label) const { return axisOf(label) < rank(); }
  int64_t rank() const { return static_cast<int64_t>(labels.size()); }
  std::vector<int64_t> axesOf(const Labels &names) const {
    std::vector<int64_t> axes;
    for (Label label : names)
      axes.push_back(axisOf(label));
    return axes;
  }
};
} // namespace

static bool contains(const Labels &labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

static Labels operator+(Labels lhs, const Labels &rhs) {
  lhs.insert(lhs.end(), rhs.begin(), rhs.end());
  return lhs;
}

//===----------------------------------------------------------------------===//
// One tensor
//===----------------------------------------------------------------------===//

/// Transposes the dimensions to the order of the labels.
static Named inOrder(const Named &input, const Labels &labels) {
  if (input.labels == labels)
    return input;
  return {{transpose(input.tensor, input.axesOf(labels)), input.tensor.where()},
          labels};
}

/// Replaces two dimensions with the same name by their diagonal, as the last
/// dimension.
static Named withoutRepeats(Named input) {
  for (size_t axis = 0; axis < input.labels.size(); ++axis) {
    Label label = input.labels[axis];
    auto again =
        std::find(input.labels.begin() + axis + 1, input.labels.end(), label);
    if (again == input.labels.end())
      continue;
    std::vector<int64_t> order(input.labels.size());
    std::iota(order.begin(), order.end(), 0);
    int64_t other = again - input.labels.begin();
    order.erase(order.begin() + other);
    order.erase(order.begin() + static_cast<int64_t>(axis));
    order.insert(order.end(), {static_cast<int64_t>(axis), other});
    Place where = input.tensor.where();
    Tensor moved = transpose(input.tensor, order);
    input.labels.erase(again);
    input.labels.erase(input.labels.begin() + axis);
    input.labels.push_back(label);
    return withoutRepeats({{diagPart({moved, where}), where}, input.labels});
  }
  return input;
}

/// Sums over the dimensions whose labels are not in `remaining`.
static Named summed(const Named &input, const Labels &remaining) {
  ReduceOptions options;
  Labels labels;
  for (int64_t axis = 0; axis < input.rank(); ++axis) {
    if (contains(remaining, input.labels[axis]))
      labels.push_back(input.labels[axis]);
    else
      options.axes.push_back(axis);
  }
  if (options.axes.empty())
    return input;
  return {{reduceSum(input.tensor, options), input.tensor.where()}, labels};
}

/// Transposes the input to the order of the labels, with dimensions of extent 1
/// for missing labels.
static Tensor expandTo(const Named &input, const Labels &labels) {
  Labels own;
  for (Label label : labels)
    if (input.has(label))
      own.push_back(label);
  Tensor result = inOrder(input, own).tensor;
  for (size_t axis = 0; axis < labels.size(); ++axis)
    if (!input.has(labels[axis]))
      result = expandDims({result, input.tensor.where()},
                          static_cast<int64_t>(axis));
  return result;
}

//===----------------------------------------------------------------------===//
// Two tensors
//===----------------------------------------------------------------------===//

namespace {
/// A tensor as matrices, which may be stored transposed.
struct Matrices {
  Tensor tensor;
  bool isTransposed;
};
} // namespace

/// Groups the dimensions to [batch, rows, columns], or to [batch, columns,
/// rows] if they are already in this order.
static Matrices asMatrices(const Named &input, const Labels &batch,
                           const Labels &rows, const Labels &columns) {
  bool isTransposed = input.labels == batch + columns + rows;
  const Labels &first = isTransposed ? columns : rows;
  const Labels &second = isTransposed ? rows : columns;
  Named ordered = inOrder(input, batch + first + second);
  std::vector<std::vector<int64_t>> groups;
  for (const Labels *group : {&batch, &first, &second})
    if (group != &batch || !batch.empty())
      groups.push_back(ordered.axesOf(*group));
  return {regroup(ordered.tensor, groups), isTransposed};
}

/// Restores the dimensions that were grouped to the rows and columns of a
/// matrix product, with the extents of the operand that has them.
static Tensor ungroup(const Tensor &product, const Named &lhs, const Named &rhs,
                      const Labels &labels) {
  std::vector<int64_t> shape;
  std::vector<Operand> operands = {Operand(product, lhs.tensor.where())};
  for (Label label : labels) {
    const Named &source = lhs.has(label) ? lhs : rhs;
    int64_t axis = source.axisOf(label);
    shape.push_back(extentList(source.tensor)[axis]);
    if (shape.back() == -1)
      operands.push_back(extentOf(source.tensor, axis));
  }
  // A single dynamic extent follows from the others, unless one of them is 0.
  bool isInferred = operands.size() == 2 &&
                    std::find(shape.begin(), shape.end(), 0) == shape.end();
  if (isInferred)
    operands.pop_back();
  return call("reshape", operands, {{"shape", shape}});
}

/// Contracts two tensors. Sums over the dimensions that both have and that are
/// not in `remaining`.
static Named contract(const Named &lhs, const Named &rhs,
                      const Labels &remaining) {
  Labels batch, rows, inner, columns;
  for (Label label : lhs.labels)
    (!rhs.has(label)              ? rows
     : contains(remaining, label) ? batch
                                  : inner)
        .push_back(label);
  for (Label label : rhs.labels)
    if (!lhs.has(label))
      columns.push_back(label);
  Labels labels = batch + rows + columns;
  Place where = lhs.tensor.where();
  if (inner.empty())
    return {
        {Operand(expandTo(lhs, labels), where) * expandTo(rhs, labels), where},
        labels};
  Matrices left = asMatrices(lhs, batch, rows, inner);
  Matrices right = asMatrices(rhs, batch, inner, columns);
  Tensor product = matmul(
      {left.tensor, where}, right.tensor,
      {.transposeLhs = left.isTransposed, .transposeRhs = right.isTransposed});
  size_t matrices = batch.empty() ? 0 : 1;
  bool isComplete =
      batch.size() == matrices && rows.size() == 1 && columns.size() == 1;
  return {{isComplete ? product : ungroup(product, lhs, rhs, labels), where},
          labels};
}

/// Contracts all tensors to one with the given dimensions.
static Tensor contractAll(std::vector<Named> inputs, const Labels &output) {
  for (Named &input : inputs)
    input = withoutRepeats(std::move(input));
  while (true) {
    Named first = std::move(inputs.front());
    Labels remaining = output;
    for (size_t i = 1; i < inputs.size(); ++i)
      remaining = remaining + inputs[i].labels;
    first = summed(first, remaining);
    inputs.erase(inputs.begin());
    if (inputs.empty())
      return inOrder(first, output).tensor;
    remaining = output;
    for (size_t i = 1; i < inputs.size(); ++i)
      remaining = remaining + inputs[i].labels;
    inputs.front() = contract(
        first, summed(inputs.front(), remaining + first.labels), remaining);
  }
}

//===----------------------------------------------------------------------===//
// Equations
//===----------------------------------------------------------------------===//

namespace {
/// A parser for an equation.
class Equation {
public:
  Equation(const std::string &text, const std::vector<Operand> &inputs)
      : text(text), inputs(inputs) {}

  Tensor build();

private:
  [[noreturn]] void refuse(const std::string &expected) const;
  /// Returns the labels of an operand. An ellipsis stands for `dots`
  /// dimensions.
  Labels labelsOf(const std::string &term, int64_t dots) const;
  Named nameInput(size_t index, const std::string &term);
  Labels outputOf(const std::vector<Named> &named) const;
  void check(const std::vector<Named> &named, const Labels &output) const;

  const std::string &text;
  const std::vector<Operand> &inputs;
  /// The maximum index of dimensions of an ellipsis.
  int64_t ellipsis = 0;
};
} // namespace

void Equation::refuse(const std::string &expected) const {
  raise("expected " + expected + ", found '" + text + "'",
        inputs.front().tensor().body(), inputs.front().where());
}

Labels Equation::labelsOf(const std::string &term, int64_t dots) const {
  Labels labels;
  for (size_t i = 0; i < term.size(); ++i) {
    if (std::isalpha(static_cast<unsigned char>(term[i]))) {
      labels.push_back(term[i]);
    } else if (term.compare(i, 3, "...") == 0) {
      for (int64_t dot = dots; dot > 0; --dot)
        labels.push_back(static_cast<Label>(-dot));
      i += 2;
    } else if (term[i] != ' ') {
      refuse("an equation such as \"ij,jk->ik\"");
    }
  }
  return labels;
}

Named Equation::nameInput(size_t index, const std::string &term) {
  int64_t rank = inputs[index].tensor().rank();
  int64_t dots = 0;
  if (term.find("...") != std::string::npos)
    dots = rank - static_cast<int64_t>(labelsOf(term, 0).size());
  Named named{inputs[index], labelsOf(term, dots)};
  if (dots < 0 || named.rank() != rank)
    refuse("a letter for each dimension of input " + std::to_string(index) +
           " " + toString(inputs[index].tensor().shape()));
  ellipsis = std::max(ellipsis, dots);
  return named;
}

/// Returns the labels after the arrow. Without an arrow, returns the labels of
/// the ellipsis, then all letters that occur once, in alphabetical order.
Labels Equation::outputOf(const std::vector<Named> &named) const {
  if (size_t arrow = text.find("->"); arrow != std::string::npos)
    return labelsOf(text.substr(arrow + 2), ellipsis);
  Labels all, output = labelsOf("...", ellipsis);
  for (const Named &input : named)
    all = all + input.labels;
  std::sort(all.begin(), all.end());
  for (Label label : all)
    if (label > 0 && std::count(all.begin(), all.end(), label) == 1)
      output.push_back(label);
  return output;
}

void Equation::check(const std::vector<Named> &named,
                     const Labels &output) const {
  std::map<Label, int64_t> extents;
  for (const Named &input : named)
    for (int64_t axis = 0; axis < input.rank(); ++axis) {
      Label label = input.labels[axis];
      Extent extent = input.tensor.tensor().shape()[axis];
      if (label < 0 || !extent.isKnown()) // an ellipsis broadcasts
        continue;
      int64_t first = extents.emplace(label, extent.value).first->second;
      if (first != extent.value)
        refuse("equal extents of letter '" + std::string(1, char(label)) +
               "', not " + std::to_string(first) + " and " +
               std::to_string(extent.value));
    }
  for (Label label : output) {
    bool isKnown = std::any_of(named.begin(), named.end(),
                               [&](const Named &in) { return in.has(label); });
    if (!isKnown || std::count(output.begin(), output.end(), label) != 1)
      refuse("every letter of the result once, and in an input");
  }
}

Tensor Equation::build() {
  std::vector<Named> named;
  std::string left = text.substr(0, text.find("->"));
  for (size_t begin = 0; begin <= left.size();) {
    size_t comma = std::min(left.find(',', begin), left.size());
    if (named.size() == inputs.size())
      refuse("names of " + std::to_string(inputs.size()) + " inputs");
    named.push_back(nameInput(named.size(), left.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  if (named.size() != inputs.size())
    refuse("names of " + std::to_string(inputs.size()) + " inputs");
  Labels output = outputOf(named);
  check(named, output);
  return contractAll(std::move(named), output);
}

Tensor tg::einsum(const std::string &equation, const Operands &inputs,
                  std::source_location where) {
  bodyOf(inputs, where);
  Scope scope(inputs.front());
  return Equation(equation, inputs).build();
}

//===----------------------------------------------------------------------===//
// Contractions by axis number
//===----------------------------------------------------------------------===//

Tensor tg::tensordot(Operand lhs, Operand rhs, std::vector<int64_t> lhsAxes,
                     std::vector<int64_t> rhsAxes) {
  Scope scope(lhs);
  lhsAxes = resolveAxes(lhs, std::move(lhsAxes));
  rhsAxes = resolveAxes(rhs, std::move(rhsAxes));
  if (lhsAxes.size() != rhsAxes.size())
    raise("expected as many axes of the right tensor as of the left (" +
              std::to_string(lhsAxes.size()) + "), found " +
              std::to_string(rhsAxes.size()),
          lhs.tensor().body(), lhs.where());
  Named left{lhs, Labels(lhs.tensor().rank())};
  Named right{rhs, Labels(rhs.tensor().rank())};
  std::iota(left.labels.begin(), left.labels.end(), 1);
  std::iota(right.labels.begin(), right.labels.end(), left.rank() + 1);
  for (size_t i = 0; i < lhsAxes.size(); ++i)
    right.labels[rhsAxes[i]] = left.labels[lhsAxes[i]];
  Labels output;
  for (const auto &[from, other] : {std::pair(&left, &right), {&right, &left}})
    for (Label label : from->labels)
      if (!other->has(label))
        output.push_back(label);
  return contractAll({left, right}, output);
}

Tensor tg::tensordot(Operand lhs, Operand rhs, int64_t axes) {
  int64_t rank = lhs.tensor().rank();
  if (axes < 0 || axes > std::min(rank, rhs.tensor().rank()))
    raise("expected a number of axes in [0, " +
              std::to_string(std::min(rank, rhs.tensor().rank())) +
              "], found " + std::to_string(axes),
          lhs.tensor().body(), lhs.where());
  std::vector<int64_t> last(axes), first(axes);
  std::iota(last.begin(), last.end(), rank - axes);
  std::iota(first.begin(), first.end(), 0);
  return tensordot(lhs, rhs, last, first);
}

Tensor tg::outer(Operand lhs, Operand rhs) {
  Scope scope(lhs);
  for (const Operand *vector : {&lhs, &rhs})
    if (vector->tensor().rank() != 1)
      raise("expected two vectors, found " + toString(lhs.tensor().shape()) +
                " and " + toString(rhs.tensor().shape()),
            lhs.tensor().body(), lhs.where());
  return expandDims(lhs, -1) * rhs;
}
