//===- CutSignature.cpp - the inputs and outputs of an extracted function -===//
#include "compiler/frontend/body/Cut.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/rules/SignatureRules.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

/// Returns the names of dimensions as `tg.dims`; null if all are empty.
mlir::Attribute Cut::dimsOf(llvm::ArrayRef<std::string> names) {
  if (llvm::all_of(names, [](const std::string &name) { return name.empty(); }))
    return {};
  SmallVector<llvm::StringRef> words(names.begin(), names.end());
  return builder.getStrArrayAttr(words);
}

/// Returns the extents of an input as the program declares them. A fed value
/// that is not a declared input has no extent names.
Shape Cut::shapeOf(Value input) {
  if (auto argument = dyn_cast<BlockArgument>(input))
    return impl.inputs[argument.getArgNumber()].second.shape;
  Shape shape;
  for (int64_t extent : cast<RankedTensorType>(input.getType()).getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? dim() : Extent(extent));
  return shape;
}

std::string Cut::inputNameOf(Value input) {
  auto argument = dyn_cast<BlockArgument>(input);
  if (argument && !spec.isFetch)
    return impl.inputs[argument.getArgNumber()].first;
  if (argument)
    impl.nameOps();
  return impl.opNameOf(input);
}

LogicalResult Cut::checkNames() {
  std::map<std::string, Value> named;
  for (Value input : inputs) {
    std::string name = inputNameOf(input);
    auto [first, isNew] = named.try_emplace(name, input);
    if (isNew)
      continue;
    auto lineOf = [](Value value) {
      auto line = value.getLoc()->findInstanceOf<FileLineColLoc>();
      return line ? line.getLine() : 0;
    };
    // Inputs may be listed in another order than they were declared in.
    Value later = std::max(first->second, input, [&](Value a, Value b) {
      return lineOf(a) < lineOf(b);
    });
    Value earlier = later == input ? first->second : input;
    return emitError(later.getLoc())
           << "expected another name for input '" << name << "': function '"
           << spec.name << "' has an input of this name, made in line "
           << lineOf(earlier);
  }
  return success();
}

/// Returns a name that no input or output has yet.
std::string Cut::takeName(const std::string &base) {
  std::string name = base;
  for (unsigned number = 1; !signatureNames.insert(name).second; ++number)
    name = base + "." + std::to_string(number);
  return name;
}

void Cut::nameArguments() {
  for (auto [number, input] : llvm::enumerate(inputs)) {
    std::string name = inputNameOf(input);
    function.setArgAttr(
        number, "tg.name",
        builder.getStringAttr(spec.isFetch ? takeName(name) : name));
    std::vector<std::string> names;
    for (const Extent &extent : shapeOf(input))
      names.push_back(extent.isKnown() ? "" : extent.name);
    if (mlir::Attribute dims = dimsOf(names))
      function.setArgAttr(number, "tg.dims", dims);
  }
  unsigned number = inputs.size();
  auto addRandom = [&](llvm::StringRef word) {
    function.setArgAttr(number, "tg.name",
                        builder.getStringAttr(takeName(("tg." + word).str())));
    function.setArgAttr(number++, kRandomAttr, builder.getStringAttr(word));
  };
  if (takesSeed())
    addRandom("seed");
  if (takesSample)
    addRandom("call");
}

/// Names result extents that equal a named extent of an input.
void Cut::nameResults() {
  std::vector<std::string> symbols;
  ExtentAnalysis analysis(&impl.context);
  for (BlockArgument argument : function.getArguments()) {
    SmallVector<AffineExpr> extents;
    bool isInput = argument.getArgNumber() < inputs.size();
    for (const Extent &extent :
         isInput ? shapeOf(inputs[argument.getArgNumber()]) : Shape()) {
      if (extent.isKnown()) {
        extents.push_back(builder.getAffineConstantExpr(extent.value));
        continue;
      }
      auto found = llvm::find(symbols, extent.name);
      if (extent.name.empty() || found == symbols.end())
        found = symbols.insert(symbols.end(), extent.name);
      extents.push_back(builder.getAffineSymbolExpr(found - symbols.begin()));
    }
    analysis.setExtents(argument, extents);
  }
  Block &block = function.getBody().front();
  Capture ignored(&impl.context);
  bool known = succeeded(analysis.run(block, symbols.size()));
  for (auto [number, output] : llvm::enumerate(spec.outputs)) {
    function.setResultAttr(number, "tg.name",
                           builder.getStringAttr(spec.isFetch
                                                     ? takeName(output.first)
                                                     : output.first));
    Value result = mapping.lookup(impl.values[output.second]);
    std::vector<std::string> names;
    if (!known || !analysis.hasExtents(result))
      continue;
    for (auto [expr, extent] :
         llvm::zip(analysis.extentsOf(result),
                   cast<RankedTensorType>(result.getType()).getShape())) {
      auto symbol = dyn_cast<AffineSymbolExpr>(expr);
      bool isNamed = ShapedType::isDynamic(extent) && symbol &&
                     symbol.getPosition() < symbols.size();
      names.push_back(isNamed ? symbols[symbol.getPosition()] : "");
    }
    if (mlir::Attribute dims = dimsOf(names))
      function.setResultAttr(number, "tg.dims", dims);
  }
}
