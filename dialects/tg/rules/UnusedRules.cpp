//===- UnusedRules.cpp - warnings about unused inputs and variables -------===//
#include "dialects/tg/rules/UnusedRules.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/GradientOps.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tg;

/// Warns of unused inputs. An input that several functions have under the same
/// name is unused only if no function uses it.
static void warnOfInputs(ModuleOp module) {
  llvm::MapVector<StringRef, BlockArgument> unused;
  llvm::StringSet<> used;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || roleOf(function) == "init")
      continue;
    for (BlockArgument input : function.getArguments()) {
      auto name = function.getArgAttrOfType<StringAttr>(input.getArgNumber(),
                                                        "tg.name");
      if (!name)
        continue;
      if (input.use_empty())
        unused.insert({name.getValue(), input});
      else
        used.insert(name.getValue());
    }
  }
  for (auto &[name, input] : unused)
    if (!used.contains(name))
      emitWarning(input.getLoc()) << "no function uses input '" << name << "'";
}

/// Returns the variables that functions other than `init` change.
static llvm::StringSet<> changedVariables(ModuleOp module) {
  llvm::StringSet<> changed;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (roleOf(function) == "init")
      continue;
    function.walk([&](Operation *op) {
      for (StringRef variable : assignedVariables(op))
        changed.insert(variable);
    });
  }
  return changed;
}

/// Returns true if a function trains by its role or name.
static bool isTraining(func::FuncOp function) {
  return function.isPublic() &&
         (roleOf(function) == "train" || nameOf(function) == "train");
}

/// Returns true if a function computes gradients for its caller, who then
/// changes the variables.
static bool hasUsedGradient(func::FuncOp function) {
  return function
      .walk([](GradientOp gradient) {
        return gradient->use_empty() ? WalkResult::advance()
                                     : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Warns of the functions that should train in a module that has trainable
/// variables and changes no variable.
static void warnOfFunctions(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (isTraining(function) && !hasUsedGradient(function))
      emitWarning(function.getLoc())
          << "function '" << nameOf(function)
          << "' changes no variable, expected updates, such as those of an "
             "optimizer";
}

static void warnOfVariables(ModuleOp module) {
  llvm::StringSet<> changed = changedVariables(module);
  SmallVector<VariableOp> unchanged;
  bool trains = false;
  for (auto variable : module.getOps<VariableOp>()) {
    if (!variable.getTrainable())
      continue;
    if (changed.contains(variable.getSymName()))
      trains = true;
    else
      unchanged.push_back(variable);
  }
  if (changed.empty() && !unchanged.empty())
    warnOfFunctions(module);
  if (!trains)
    return;
  for (VariableOp variable : unchanged)
    emitWarning(variable.getLoc()) << "no function changes trainable variable '"
                                   << variable.getSymName() << "'";
}

void tg::warnOfUnused(ModuleOp module) {
  warnOfInputs(module);
  warnOfVariables(module);
}
