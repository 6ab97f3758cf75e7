//===- OpTable.cpp - text and inputs of the numeric table's rows ----------===//
#include "test/numeric/OpTable.h"
#include "mlir/AsmParser/AsmParser.h"
#include "test/numeric/OpRows.h"
#include "test/numeric/Scramble.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <ostream>

using namespace mlir;
using namespace tg;
using namespace tg::test;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string replaceAll(std::string text, StringRef what,
                              StringRef with) {
  for (size_t at = text.find(what.str()); at != std::string::npos;
       at = text.find(what.str(), at + with.size()))
    text.replace(at, what.size(), with.str());
  return text;
}

std::string RowTensor::getType(StringRef floatType) const {
  std::string result = "tensor<";
  SmallVector<StringRef> parts;
  StringRef(type).split(parts, 'x');
  for (StringRef part : ArrayRef(parts).drop_back())
    result += (part.ends_with("?") ? "?" : part.str()) + "x";
  result += isFloat() ? floatType.str() : parts.back().str();
  return result + ">";
}

SmallVector<int64_t> RowTensor::getShape() const {
  SmallVector<StringRef> parts;
  StringRef(type).split(parts, 'x');
  SmallVector<int64_t> shape;
  for (StringRef part : ArrayRef(parts).drop_back()) {
    int64_t extent = 0;
    part.rtrim('?').getAsInteger(10, extent);
    shape.push_back(extent);
  }
  return shape;
}

bool RowTensor::isFloat() const { return StringRef(type).ends_with("FLOAT"); }

/// Returns the types of the tensors, separated by commas.
static std::string typeList(ArrayRef<RowTensor> tensors, StringRef floatType) {
  return llvm::join(llvm::map_range(tensors,
                                    [&](const RowTensor &tensor) {
                                      return tensor.getType(floatType);
                                    }),
                    ", ");
}

std::string test::bodyText(const OpRow &row, StringRef floatType) {
  std::string outputs = typeList(row.outputs, floatType);
  if (row.outputs.size() != 1)
    outputs = "(" + outputs + ")";
  std::string types = "(" + typeList(row.inputs, floatType) + ") -> " + outputs;
  std::string text = replaceAll(row.body, "TYPES", types);
  text = replaceAll(text, "TYPE", row.outputs.front().getType(floatType));
  return replaceAll(text, "FLOAT", floatType);
}

std::string test::variablesText(const OpRow &row, StringRef floatType) {
  return replaceAll(row.variables, "FLOAT", floatType);
}

/// Returns the row as a function named for the row.
static std::string functionText(const OpRow &row, StringRef floatType) {
  auto named = [&](const RowTensor &tensor, std::string before) {
    return before + tensor.getType(floatType) + " {tg.name = \"" + tensor.name +
           "\"}";
  };
  std::vector<std::string> inputs, outputs, values;
  for (const RowTensor &input : row.inputs)
    inputs.push_back(named(input, "%" + input.name + ": "));
  for (const RowTensor &output : row.outputs) {
    outputs.push_back(named(output, ""));
    values.push_back("%" + output.name);
  }
  return "func.func @" + row.name + "(" + llvm::join(inputs, ", ") + ") -> (" +
         llvm::join(outputs, ", ") + ") {\n" + bodyText(row, floatType) +
         "\nreturn " + llvm::join(values, ", ") + " : " +
         typeList(row.outputs, floatType) + "\n}\n";
}

std::string test::moduleText(ArrayRef<OpRow> rows, StringRef floatType) {
  std::string variables, functions;
  for (const OpRow &row : rows) {
    if (!row.variables.empty())
      variables = variablesText(row, floatType);
    functions += functionText(row, floatType);
  }
  return "module {\n" + variables + functions + "}\n";
}

void test::PrintTo(const OpRow &row, std::ostream *stream) {
  *stream << row.name;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// Returns the element of a random tensor of a type for a counter.
static double sampleElement(const RowTensor &tensor, Type type,
                            uint64_t counter) {
  double unit = double(scramble(counter) >> 11) * 0x1p-53;
  if (isa<FloatType>(type))
    return tensor.low + unit * (tensor.high - tensor.low);
  return std::floor(tensor.low + unit * (tensor.high - tensor.low + 1));
}

HostTensor test::makeTensor(const RowTensor &tensor, MLIRContext *context,
                            StringRef floatType, uint64_t seed) {
  auto type =
      cast<RankedTensorType>(parseType(tensor.getType(floatType), context));
  HostTensor result(type.getElementType(), tensor.getShape());
  visitElementType(type.getElementType(), [&](auto zero) {
    using T = decltype(zero);
    for (auto [number, element] : llvm::enumerate(result.values<T>())) {
      double value = tensor.elements.empty()
                         ? sampleElement(tensor, type.getElementType(),
                                         seed * 1000003 + number)
                         : tensor.elements[number % tensor.elements.size()];
      if (type.getElementType().isInteger(1))
        value = value != 0;
      element = T(value);
    }
  });
  return result;
}

std::vector<HostTensor> test::makeInputs(const OpRow &row, MLIRContext *context,
                                         StringRef floatType) {
  std::vector<HostTensor> inputs;
  for (auto [number, input] : llvm::enumerate(row.inputs))
    inputs.push_back(makeTensor(input, context, floatType, number + 1));
  return inputs;
}

std::vector<std::string> test::integerTypes() {
  std::vector<std::string> names;
  for (const ElementTypeInfo &row : kElementTypes)
    if (row.rounding == TG_ROUNDING_WRAPS)
      names.push_back(row.name);
  return names;
}

std::vector<double> test::edgesOf(StringRef type) {
  const ElementTypeInfo &row =
      *llvm::find_if(kElementTypes, [&](const ElementTypeInfo &candidate) {
        return type == candidate.name;
      });
  if (row.rounding == TG_ROUNDING_TRUTH)
    return {0, 1};
  bool isSigned = row.dtype.code == TG_DTYPE_INT;
  double end = std::ldexp(1, row.dtype.bits - isSigned);
  // A double cannot represent the largest 64-bit integers.
  double last = row.dtype.bits > 53 ? std::nextafter(end, 0) : end - 1;
  if (isSigned)
    return {1, -1, 0, 7, last, -end, 2, -100, 100, -3, -end + 1};
  return {1, last, 0, 7, end / 2, 2, 100, 3, end - 100};
}

ArrayRef<OpRow> test::getOpTable() {
  static const std::vector<OpRow> table = [] {
    std::vector<OpRow> rows;
    addElementwiseRows(rows);
    addReductionRows(rows);
    addContractionRows(rows);
    addConvolutionRows(rows);
    addMovementRows(rows);
    addPoolingRows(rows);
    addControlRows(rows);
    addStateRows(rows);
    addTableRows(rows);
    addHostRows(rows);
    addRegionExtentRows(rows);
    addRegionGradientRows(rows);
    addConcatenationRows(rows);
    addRandomRows(rows);
    return rows;
  }();
  return table;
}
