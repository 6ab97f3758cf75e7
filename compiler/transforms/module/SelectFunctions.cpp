//===- SelectFunctions.cpp - removal of functions and outputs -------------===//
#include "compiler/transforms/Passes.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tg {
#define GEN_PASS_DEF_SELECTFUNCTIONS
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
struct SelectFunctions : public tg::impl::SelectFunctionsBase<SelectFunctions> {
  using SelectFunctionsBase::SelectFunctionsBase;
  void runOnOperation() override;

private:
  /// Applies the option `functions`.
  LogicalResult removeOthers();
  /// Applies the option `keep`.
  LogicalResult removeOutputs();
  LogicalResult removeOutputs(func::FuncOp function,
                              ArrayRef<StringRef> requested);
  /// Fails with a list of the functions of the model if `name` is not among
  /// them.
  LogicalResult checkFunction(StringRef name, StringRef option);
};
} // namespace

/// Returns the entries of a list. An empty entry is kept, and is an error like
/// any other unknown name.
static SmallVector<StringRef> splitList(StringRef list, char separator) {
  SmallVector<StringRef> entries;
  if (!list.empty())
    list.split(entries, separator);
  return entries;
}

/// Returns a suggestion of a similar name for an unknown one, to be printed
/// after the list of all names.
static std::string suggestNearest(StringRef name, ArrayRef<StringRef> known) {
  StringRef nearest = nearestName(name, known);
  return nearest.empty() ? "" : "; did you mean '" + nearest.str() + "'?";
}

LogicalResult SelectFunctions::checkFunction(StringRef name, StringRef option) {
  SmallVector<StringRef> names;
  for (auto function : getOperation().getOps<func::FuncOp>())
    names.push_back(nameOf(function));
  if (llvm::is_contained(names, name))
    return success();
  // The error has no location in the model.
  return emitError(UnknownLoc::get(&getContext()))
         << "option '" << option << "': expected functions of the model ("
         << llvm::join(names, ", ") << "), found '" << name << "'"
         << suggestNearest(name, names);
}

LogicalResult SelectFunctions::removeOthers() {
  llvm::StringSet<> requested;
  for (StringRef name : splitList(functions, ',')) {
    if (failed(checkFunction(name, "functions")))
      return failure();
    requested.insert(name);
  }
  if (requested.empty())
    return success();
  for (auto function :
       llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
    if (roleOf(function) == "init" || requested.contains(nameOf(function)))
      continue;
    function.erase();
    ++functionsRemoved;
  }
  return success();
}

LogicalResult SelectFunctions::removeOutputs() {
  for (StringRef entry : splitList(keep, ';')) {
    auto [name, list] = entry.split(':');
    if (failed(checkFunction(name, "keep")))
      return failure();
    if (!entry.contains(':'))
      return emitError(UnknownLoc::get(&getContext()))
             << "option 'keep': expected a function with its outputs, as in "
             << name << ":loss, found no outputs";
    auto function = *llvm::find_if(
        getOperation().getOps<func::FuncOp>(),
        [&, name = name](func::FuncOp each) { return nameOf(each) == name; });
    if (failed(removeOutputs(function, splitList(list, ','))))
      return failure();
  }
  return success();
}

LogicalResult SelectFunctions::removeOutputs(func::FuncOp function,
                                             ArrayRef<StringRef> requested) {
  SmallVector<StringRef> names;
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    names.push_back(function.getResultAttrOfType<StringAttr>(index, "tg.name"));
  llvm::BitVector removed(names.size(), true);
  for (StringRef name : requested) {
    auto found = llvm::find(names, name);
    if (found == names.end())
      return emitError(UnknownLoc::get(&getContext()))
             << "option 'keep': expected outputs of function '"
             << nameOf(function) << "' (" << llvm::join(names, ", ")
             << "), found '" << name << "'" << suggestNearest(name, names);
    removed.reset(found - names.begin());
  }
  outputsCut += removed.count();
  function.getBody().front().getTerminator()->eraseOperands(removed);
  return function.eraseResults(removed);
}

void SelectFunctions::runOnOperation() {
  if (failed(removeOthers()) || failed(removeOutputs()))
    signalPassFailure();
}
