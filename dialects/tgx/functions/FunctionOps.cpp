//===- FunctionOps.cpp - the signature of a function ----------------------===//
#include "dialects/tgx/verification/Verification.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tgx;

/// Checks the role, the names of symbols and the maps `computed` and `found`:
/// constraints C1 and C2 of tgx.function.
static LogicalResult verifySignature(FunctionOp function) {
  StringRef role = function.getRole();
  if (!llvm::is_contained({"", "init", "train", "test"}, role))
    return function.emitOpError()
           << "expected the role init, train, test or \"\", found '" << role
           << "' [C1]";
  llvm::StringSet<> names;
  for (auto name : function.getSymbols().getAsRange<StringAttr>())
    if (!names.insert(name.getValue()).second)
      return function.emitOpError()
             << "expected symbols of different names, found '"
             << name.getValue() << "' twice [C2]";
  AffineMap computed = function.getComputed();
  size_t definedCount =
      computed.getNumResults() + function.countDataDependent();
  if (definedCount > names.size() ||
      computed.getNumSymbols() != function.countUncomputed())
    return function.emitOpError()
           << "expected 'computed' to be a map over the symbols that are not "
              "computed, with one result per computed symbol, of "
           << names.size() << " symbols in all, found "
           << function.getComputedAttr() << " [C2]";
  if (failed(verifyNumbers(function, computed, "'computed'", "C2")))
    return failure();
  if (!function.getFound())
    return success();
  if (function.getFound()->getNumSymbols() != function.getBoundCount())
    return function.emitOpError()
           << "expected 'found' to be a map over the "
           << function.getBoundCount() << " symbols that inputs bind, found "
           << function.getFoundAttr() << " [C2]";
  if (failed(verifyNumbers(function, *function.getFound(), "'found'", "C2")))
    return failure();
  for (AffineExpr number : computed.getResults())
    if (!function.upperBoundOf(number))
      return function.emitOpError()
             << "expected an upper bound of each number in 'computed', found "
             << llvm::to_string(number) << ", which has none [C2]";
  return success();
}

AffineExpr FunctionOp::upperBoundOf(AffineExpr number) {
  if (!getFound())
    return number;
  tg::ExtentAnalysis analysis(getContext());
  Block empty;
  (void)analysis.run(empty, countUncomputed());
  for (auto [index, most] : llvm::enumerate(getFound()->getResults()))
    analysis.setUpperBound(
        getAffineSymbolExpr(getBoundCount() + index, getContext()), most);
  return analysis.upperBoundOf(number);
}

/// Checks C3 for one input or output, `entry`, and appends its extents to
/// `extents`.
static LogicalResult verifyValue(FunctionOp function, Attribute entry,
                                 llvm::StringSet<> &names,
                                 SmallVectorImpl<AffineExpr> &extents) {
  auto value = dyn_cast<DictionaryAttr>(entry);
  auto name = value ? value.getAs<StringAttr>("name") : nullptr;
  auto type = value ? value.getAs<TypeAttr>("type") : nullptr;
  auto map = value ? value.getAs<AffineMapAttr>("extents") : nullptr;
  bool isRandom = value && value.getAs<StringAttr>("random");
  if (!name || !type || !map || value.size() != (isRandom ? 4u : 3u))
    return function.emitOpError()
           << "expected {extents, name, type} of each input and output, found "
           << entry << " [C3]";
  if (!names.insert(name.getValue()).second)
    return function.emitOpError()
           << "expected values of different names, found '" << name.getValue()
           << "' twice [C3]";
  std::string what = "'" + name.str() + "'";
  if (failed(tg::verifyTensorType(function, type.getValue(), what)))
    return failure();
  llvm::append_range(extents, map.getValue().getResults());
  return verifyExtents(function, map.getValue(),
                       cast<RankedTensorType>(type.getValue()),
                       function.countUncomputed(), what, "C3");
}

/// Checks C3 of a list of values and collects their extents.
static LogicalResult verifyValues(FunctionOp function, ArrayAttr list,
                                  SmallVectorImpl<AffineExpr> &extents) {
  llvm::StringSet<> names;
  for (Attribute entry : list)
    if (failed(verifyValue(function, entry, names, extents)))
      return failure();
  return success();
}

/// Checks C4: every dynamic extent of an input is a symbol, every bound symbol
/// is an extent of an input, and extents of outputs are constants, symbols or
/// results of `computed`.
static LogicalResult verifyBinding(FunctionOp function,
                                   ArrayRef<AffineExpr> inputs,
                                   ArrayRef<AffineExpr> outputs) {
  llvm::DenseSet<AffineExpr> known(inputs.begin(), inputs.end());
  for (AffineExpr extent : inputs) {
    auto symbol = dyn_cast<AffineSymbolExpr>(extent);
    if (!isa<AffineConstantExpr>(extent) &&
        (!symbol || symbol.getPosition() >= function.getBoundCount()))
      return function.emitOpError()
             << "expected extents of inputs to be constants or symbols, found "
             << llvm::to_string(extent) << " [C4]";
  }
  for (unsigned symbol = 0; symbol < function.getBoundCount(); ++symbol)
    if (!known.contains(getAffineSymbolExpr(symbol, function.getContext())))
      return function.emitOpError() << "expected an input to have the extent "
                                    << function.getSymbols()[symbol] << " [C4]";
  for (unsigned symbol = function.getBoundCount();
       symbol < function.countUncomputed(); ++symbol)
    known.insert(getAffineSymbolExpr(symbol, function.getContext()));
  known.insert_range(function.getComputed().getResults());
  for (AffineExpr extent : outputs)
    if (!isa<AffineConstantExpr>(extent) && !known.contains(extent))
      return function.emitOpError()
             << "expected extents of outputs to be constants, symbols or "
                "results of 'computed', found "
             << llvm::to_string(extent) << " [C4]";
  return success();
}

LogicalResult FunctionOp::verify() {
  SmallVector<AffineExpr> inputs, outputs;
  if (getAlignment() < kAlignment || !llvm::isPowerOf2_64(getAlignment()))
    return emitOpError()
           << "expected an alignment that is a power of two and at least "
           << kAlignment << ", found " << getAlignment() << " [C7]";
  if (failed(verifySignature(*this)) ||
      failed(verifyValues(*this, getInputs(), inputs)) ||
      failed(verifyValues(*this, getOutputs(), outputs)))
    return failure();
  return verifyBinding(*this, inputs, outputs);
}

LogicalResult FunctionOp::verifyRegions() {
  if (getBlock().getNumArguments() != 0)
    return emitOpError() << "expected a body without arguments, found "
                         << getBlock().getNumArguments() << " [C5]";
  for (Operation &op : getBlock()) {
    if (!isa<BufferOpInterface, StepOpInterface, EntryCheckOp>(op))
      return op.emitOpError()
             << "expected buffers, steps and entry checks in a "
                "function, found another op [C5]";
    if (failed(verifySymbols(&op, countUncomputed(), "C5")))
      return failure();
  }
  return success();
}
