//===- ModuleSummary.cpp - layers, shapes, parameters and costs as text ---===//
#include "compiler/frontend/body/ModuleView.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/evaluation/HostTensor.h"
#include "dialects/tg/ops/control/ControlOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// The heading of ops without a layer.
static constexpr char kNoLayer[] = "(no layer)";

namespace {
/// A line of a table.
struct Row {
  std::string layer, output, parameters, flops, bytes;
};

/// The ops and variables of a layer of a function.
struct LayerParts {
  /// Adds the parameters of a variable that the layer reads, if it is
  /// trainable.
  void addVariable(VariableOp variable);

  SmallVector<Operation *> ops;
  int64_t parameters = 0, parameterBytes = 0;
};

/// The table of a function.
class FunctionSummary {
public:
  FunctionSummary(FunctionView &view, ModuleOp module);
  void print(llvm::raw_ostream &stream);

private:
  Row describe(StringRef layer, const LayerParts &parts);
  Row describeTotal();
  AffineExpr constant(int64_t number) {
    return getAffineConstantExpr(number, view.function.getContext());
  }

  FunctionView &view;
  llvm::MapVector<StringRef, LayerParts> layers;
  /// The strings that the keys of `layers` refer to.
  llvm::StringSet<> names;
  int64_t parameters = 0;
  AffineExpr flops, bytes;
};
} // namespace

FunctionSummary::FunctionSummary(FunctionView &view, ModuleOp module)
    : view(view), flops(constant(0)), bytes(constant(0)) {
  auto layerOf = [&](Operation *op) -> LayerParts & {
    std::string name = FunctionView::layerOf(op);
    return layers[names.insert(name.empty() ? kNoLayer : name).first->first()];
  };
  SmallVector<Operation *> ops = view.getOps();
  for (Operation *op : ops)
    // Effects are not part of the computation of a function.
    if (!accessesVariables(op) && op->getNumResults())
      layerOf(op).ops.push_back(op);
  // Reads precede all other ops and would determine the order of the layers.
  SymbolTable symbols(module);
  for (Operation *op : ops)
    if (auto read = dyn_cast<ReadOp>(op))
      layerOf(op).addVariable(symbols.lookup<VariableOp>(read.getVariable()));
}

void LayerParts::addVariable(VariableOp variable) {
  if (!variable.getTrainable())
    return;
  auto type = cast<RankedTensorType>(variable.getType());
  parameters += type.getNumElements();
  parameterBytes += *checkedByteCount(type.getShape(), type.getElementType());
}

/// Returns the number of times that an op runs: the product of the lengths of
/// the enclosing scans. Iterations of other loops are not counted.
static AffineExpr iterationsOf(Operation *op, ExtentAnalysis &analysis) {
  AffineExpr iterations = getAffineConstantExpr(1, op->getContext());
  for (auto scan = op->getParentOfType<ScanOp>(); scan;
       scan = scan->getParentOfType<ScanOp>())
    iterations =
        iterations *
        (scan.getLength()
             ? getAffineConstantExpr(*scan.getLength(), op->getContext())
             : analysis.extentsOf(scan.getInputs()[0])[0]);
  return iterations;
}

/// Returns the last used result of an op, otherwise the last one. For pooling
/// this is the output, not the positions of the maxima.
static Value outputOf(Operation *op) {
  for (Value result : llvm::reverse(op->getResults()))
    if (!result.use_empty())
      return result;
  return op->getResults().back();
}

Row FunctionSummary::describe(StringRef layer, const LayerParts &parts) {
  ExtentAnalysis &analysis = view.symbols.getAnalysis();
  AffineExpr ownFlops = constant(0);
  AffineExpr ownBytes = constant(parts.parameterBytes);
  Value output;
  for (Operation *op : parts.ops) {
    if (auto costOp = dyn_cast<CostOpInterface>(op))
      ownFlops =
          ownFlops + costOp.countFlops(analysis) * iterationsOf(op, analysis);
    output = outputOf(op);
  }
  if (output)
    ownBytes = ownBytes + analysis.countBytes(output);
  parameters += parts.parameters;
  flops = flops + ownFlops;
  bytes = bytes + ownBytes;
  return {layer.str(), output ? view.typeOf(output) : "",
          parts.parameters ? std::to_string(parts.parameters) : "",
          view.toText(ownFlops), view.toText(ownBytes)};
}

Row FunctionSummary::describeTotal() {
  return {"total", "", std::to_string(parameters), view.toText(flops),
          view.toText(bytes)};
}

void FunctionSummary::print(llvm::raw_ostream &stream) {
  std::vector<Row> rows = {{"layer", "output", "parameters", "FLOPs", "bytes"}};
  for (const auto &[layer, parts] : layers)
    rows.push_back(describe(layer, parts));
  rows.push_back(describeTotal());
  auto widthOf = [&](std::string Row::*column) {
    size_t width = 0;
    for (const Row &row : rows)
      width = std::max(width, (row.*column).size());
    return width;
  };
  size_t layer = widthOf(&Row::layer);
  size_t output = widthOf(&Row::output);
  size_t number = widthOf(&Row::parameters);
  size_t cost = widthOf(&Row::flops);
  for (const Row &row : rows)
    stream << "  " << llvm::left_justify(row.layer, layer) << "  "
           << llvm::left_justify(row.output, output) << "  "
           << llvm::right_justify(row.parameters, number) << "  "
           << llvm::left_justify(row.flops, cost) << "  " << row.bytes << '\n';
}

/// Prints "test (x: f32 [batch, 2]) -> (y: f32 [batch, 4])".
static void printSignature(FunctionView &view, llvm::raw_ostream &stream) {
  stream << nameOf(view.function) << " (";
  for (BlockArgument argument : view.function.getArguments())
    stream << (argument.getArgNumber() ? ", " : "")
           << view.nameOf(argument.getArgNumber(), /*isResult=*/false) << ": "
           << view.typeOf(argument);
  stream << ") -> (";
  Operation *end = view.function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands()))
    stream << (number ? ", " : "") << view.nameOf(number, /*isResult=*/true)
           << ": " << view.typeOf(value);
  stream << ")\n";
}

LogicalResult tg::dsl::printSummary(ModuleOp module,
                                    llvm::raw_ostream &stream) {
  int64_t trainable = 0, bytes = 0;
  for (auto variable : module.getOps<VariableOp>()) {
    auto type = cast<RankedTensorType>(variable.getType());
    trainable += variable.getTrainable() ? type.getNumElements() : 0;
    bytes += *checkedByteCount(type.getShape(), type.getElementType());
  }
  stream << module.getSymName().value_or("model") << ": " << trainable
         << " trainable parameters, " << bytes << " bytes of variables\n";
  for (auto function : module.getOps<func::FuncOp>()) {
    if (roleOf(function) == "init")
      continue;
    FailureOr<FunctionView> view = FunctionView::create(function);
    if (failed(view))
      return failure();
    stream << '\n';
    printSignature(*view, stream);
    FunctionSummary(*view, module).print(stream);
  }
  return success();
}
