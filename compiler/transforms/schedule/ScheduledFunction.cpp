//===- ScheduledFunction.cpp - the signature of a scheduled function ------===//
#include "compiler/transforms/schedule/ScheduledFunction.h"
#include "compiler/transforms/schedule/ScheduleGraph.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tg;

namespace {
/// Builds the tgx.function of one func.func.
class Signature {
public:
  Signature(OpBuilder &builder, func::FuncOp function, FunctionSymbols &symbols)
      : builder(builder), function(function), symbols(symbols),
        extents(symbols.getAnalysis()) {}

  tgx::FunctionOp create();

private:
  void nameComputedSymbols();
  ArrayAttr describe(ValueRange values, ArrayRef<Attribute> names,
                     ArrayRef<Type> types, bool areInputs);
  AffineMapAttr mapOfDataDependent();

  OpBuilder &builder;
  func::FuncOp function;
  FunctionSymbols &symbols;
  const ExtentAnalysis &extents;
  SmallVector<std::string> symbolNames;
  llvm::SetVector<AffineExpr> computed;
};
} // namespace

static func::ReturnOp returnOf(func::FuncOp function) {
  return cast<func::ReturnOp>(function.getBody().front().getTerminator());
}

/// Returns the tg.name of an argument or result.
static StringAttr portName(func::FuncOp function, unsigned index,
                           bool isResult) {
  return isResult ? function.getResultAttrOfType<StringAttr>(index, "tg.name")
                  : function.getArgAttrOfType<StringAttr>(index, "tg.name");
}

/// Assigns a new symbol to each extent of an output that is an expression,
/// neither a constant nor a symbol.
void Signature::nameComputedSymbols() {
  symbolNames.assign(symbols.getNames().begin(), symbols.getNames().end());
  for (auto [index, value] : llvm::enumerate(returnOf(function).getOperands()))
    for (auto [axis, extent] : llvm::enumerate(extents.extentsOf(value))) {
      if (isa<AffineConstantExpr, AffineSymbolExpr>(extent) ||
          !computed.insert(extent))
        continue;
      symbolNames.push_back(
          (portName(function, index, /*isResult=*/true).getValue() + "." +
           Twine(axis))
              .str());
    }
}

ArrayAttr Signature::describe(ValueRange values, ArrayRef<Attribute> names,
                              ArrayRef<Type> types, bool areInputs) {
  SmallVector<Attribute> list;
  for (auto [value, name, type] : llvm::zip_equal(values, names, types)) {
    NamedAttrList entry;
    entry.set("name", name);
    entry.set("type", TypeAttr::get(type));
    entry.set("extents",
              AffineMapAttr::get(symbols.mapOf(extents.extentsOf(value))));
    unsigned index = list.size();
    if (Attribute random =
            areInputs ? function.getArgAttr(index, kRandomAttr) : Attribute())
      entry.set("random", random);
    list.push_back(entry.getDictionary(builder.getContext()));
  }
  return builder.getArrayAttr(list);
}

/// Returns the upper bounds of the data-dependent sizes; null if there are
/// none.
AffineMapAttr Signature::mapOfDataDependent() {
  SmallVector<AffineExpr> upperBounds;
  for (unsigned symbol = symbols.getBoundCount();
       symbol < symbols.getNames().size(); ++symbol)
    upperBounds.push_back(
        extents.upperBoundOf(builder.getAffineSymbolExpr(symbol)));
  if (upperBounds.empty())
    return {};
  return AffineMapAttr::get(AffineMap::get(0, symbols.getBoundCount(),
                                           upperBounds, builder.getContext()));
}

tgx::FunctionOp Signature::create() {
  nameComputedSymbols();
  SmallVector<Attribute> inputNames, outputNames;
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    inputNames.push_back(portName(function, index, /*isResult=*/false));
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    outputNames.push_back(portName(function, index, /*isResult=*/true));
  auto role = function->getAttrOfType<StringAttr>("tg.role");
  SmallVector<StringRef> symbolList(symbolNames.begin(), symbolNames.end());
  auto scheduled = tgx::FunctionOp::create(
      builder, function.getLoc(), function.getSymNameAttr(),
      role ? role : builder.getStringAttr(""),
      builder.getStrArrayAttr(symbolList),
      AffineMapAttr::get(symbols.mapOf(computed.getArrayRef())),
      mapOfDataDependent(),
      describe(function.getArguments(), inputNames, function.getArgumentTypes(),
               /*areInputs=*/true),
      describe(returnOf(function).getOperands(), outputNames,
               function.getResultTypes(), /*areInputs=*/false),
      /*arena_bytes=*/IntegerAttr(), /*lower_bound_bytes=*/IntegerAttr(),
      builder.getI64IntegerAttr(tgx::kAlignment),
      function->getAttrOfType<DictionaryAttr>(kRecomputed));
  if (Attribute name = function->getAttr("tg.name"))
    scheduled->setAttr("tgx.name", name);
  return scheduled;
}

tgx::FunctionOp tg::createScheduledFunction(OpBuilder &builder,
                                            func::FuncOp function,
                                            FunctionSymbols &symbols) {
  return Signature(builder, function, symbols).create();
}
