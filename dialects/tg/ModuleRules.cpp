//===- ModuleRules.cpp - what holds for a module as a whole ---------------===//
#include "dialects/tg/ModuleRules.h"
#include "dialects/tg/SignatureRules.h"
#include "dialects/tg/Tg.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tg;

/// Calls nested deeper would exhaust the stack of what walks them.
static constexpr size_t kMaximumCallDepth = 1000;

//===----------------------------------------------------------------------===//
// M9: ops
//===----------------------------------------------------------------------===//

static LogicalResult verifyOps(ModuleOp module) {
  for (NamedAttribute attribute : module->getDiscardableAttrs())
    if (attribute.getName().strref().starts_with("tg."))
      return module.emitOpError() << "expected no attribute "
                                  << attribute.getName() << " on a module [M8]";
  WalkResult result = module.walk([&](Operation *op) {
    if (op == module || isa<func::FuncOp, func::ReturnOp, func::CallOp>(op) ||
        isa_and_nonnull<TgDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError() << "expected only tg ops, func.func, func.return and "
                         "func.call [M9]";
    return WalkResult::interrupt();
  });
  if (result.wasInterrupted())
    return failure();
  for (Operation &op : *module.getBody())
    if (!isa<func::FuncOp, VariableOp>(op))
      return op.emitOpError() << "expected to stand in a function [M9]";
  return success();
}

//===----------------------------------------------------------------------===//
// M3: functions and calls
//===----------------------------------------------------------------------===//

/// Fails where `function` reaches a function that is being visited.
static LogicalResult verifyCalls(func::FuncOp function, SymbolTable &symbols,
                                 SmallVectorImpl<func::FuncOp> &open,
                                 llvm::DenseSet<Operation *> &done) {
  if (done.contains(function))
    return success();
  open.push_back(function);
  WalkResult result = function.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || callee.isPublic()) {
      call.emitOpError() << "expected to call a private function [M3]";
      return WalkResult::interrupt();
    }
    if (llvm::is_contained(open, callee)) {
      call.emitOpError() << "expected no recursion [M3]";
      return WalkResult::interrupt();
    }
    if (open.size() > kMaximumCallDepth) {
      call.emitOpError() << "expected calls nested at most "
                         << kMaximumCallDepth << " deep [M3]";
      return WalkResult::interrupt();
    }
    return WalkResult(verifyCalls(callee, symbols, open, done));
  });
  open.pop_back();
  done.insert(function);
  return failure(result.wasInterrupted());
}

static LogicalResult verifyFunctions(ModuleOp module, SymbolTable &symbols) {
  auto functions = module.getOps<func::FuncOp>();
  if (llvm::none_of(functions,
                    [](func::FuncOp function) { return function.isPublic(); }))
    return module.emitOpError() << "expected at least one public function [M3]";
  for (func::FuncOp function : functions) {
    if (!function.getBody().hasOneBlock())
      return function.emitOpError() << "expected a body of one block [M3]";
    if (function.isNested())
      return function.emitOpError()
             << "expected a public or a private function [M3]";
  }
  SmallVector<func::FuncOp> open;
  llvm::DenseSet<Operation *> done;
  for (func::FuncOp function : functions)
    if (failed(verifyCalls(function, symbols, open, done)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// M4 to M6: roles
//===----------------------------------------------------------------------===//

static LogicalResult verifyInitSignature(func::FuncOp init) {
  if (!init.isPublic())
    return init.emitOpError() << "expected a public init function [M4]";
  if (init.getNumResults() != 0)
    return init.emitOpError() << "expected an init function without results, "
                                 "found "
                              << init.getNumResults() << " [M4]";
  if (init.getNumArguments() == 0)
    return success();
  auto number =
      RankedTensorType::get({}, IntegerType::get(init.getContext(), 64));
  auto name = init.getArgAttrOfType<StringAttr>(0, "tg.name");
  if (init.getNumArguments() == 1 && init.getArgumentTypes()[0] == number &&
      name && name.getValue() == "seed")
    return success();
  return init.emitOpError() << "expected an init function to have no argument "
                               "or one, a tensor<i64> named 'seed' [M4]";
}

/// Calls `visit` for every op that `root` reaches, through calls too, until
/// one fails; once for those in functions, which `seen` remembers.
static LogicalResult
visitReached(Operation *root, SymbolTable &symbols,
             llvm::DenseSet<Operation *> &seen,
             function_ref<LogicalResult(Operation *)> visit) {
  WalkResult result = root->walk([&](Operation *op) {
    if (failed(visit(op)))
      return WalkResult::interrupt();
    auto call = dyn_cast<func::CallOp>(op);
    Operation *callee = call ? symbols.lookup(call.getCallee()) : nullptr;
    if (!callee || !seen.insert(callee).second)
      return WalkResult::advance();
    return WalkResult(visitReached(callee, symbols, seen, visit));
  });
  return failure(result.wasInterrupted());
}

/// The variables whose content the op takes.
static SmallVector<StringRef> readVariables(Operation *op) {
  SmallVector<StringRef> names;
  if (auto read = dyn_cast<ReadOp>(op))
    names.push_back(read.getVariable());
  if (auto update = dyn_cast<UpdateOp>(op))
    for (ArrayRef<FlatSymbolRefAttr> group : update.getGroupSymbols())
      for (FlatSymbolRefAttr name : group)
        names.push_back(name.getValue());
  return names;
}

static LogicalResult verifyInitBody(func::FuncOp init, SymbolTable &symbols) {
  llvm::StringSet<> assigned;
  auto isReady = [&](StringRef name) {
    auto variable = symbols.lookup<VariableOp>(name);
    return !variable || variable.getSlotOf() || assigned.contains(name);
  };
  auto visit = [&](Operation *op) -> LogicalResult {
    for (StringRef name : readVariables(op))
      if (!isReady(name))
        return op->emitOpError() << "expected the init function to assign '"
                                 << name << "' before it is read [M5]";
    return success();
  };
  // What a function may read at its first call it may read at later ones.
  llvm::DenseSet<Operation *> seen;
  for (Operation &op : init.getBody().front()) {
    if (failed(visitReached(&op, symbols, seen, visit)))
      return failure();
    if (auto assign = dyn_cast<AssignOp>(op))
      assigned.insert(assign.getVariable());
  }
  for (auto variable : init->getParentOfType<ModuleOp>().getOps<VariableOp>())
    if (!isReady(variable.getSymName()))
      return init.emitOpError() << "expected the init function to assign '"
                                << variable.getSymName() << "' [M5]";
  return success();
}

static LogicalResult verifyTestBody(func::FuncOp test, SymbolTable &symbols) {
  llvm::DenseSet<Operation *> seen;
  return visitReached(test, symbols, seen, [](Operation *op) {
    if (isa<AssignOp, UpdateOp>(op))
      return LogicalResult(
          op->emitOpError()
          << "expected a test function to change no variable [M6]");
    return success();
  });
}

static LogicalResult verifyRoles(ModuleOp module, SymbolTable &symbols) {
  func::FuncOp init;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (roleOf(function) == "test" && failed(verifyTestBody(function, symbols)))
      return failure();
    if (roleOf(function) != "init")
      continue;
    if (init)
      return function.emitOpError()
             << "expected at most one init function [M4]";
    init = function;
    if (failed(verifyInitSignature(function)) ||
        failed(verifyInitBody(function, symbols)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All rules
//===----------------------------------------------------------------------===//

LogicalResult tg::verifyModuleRules(ModuleOp module) {
  SymbolTable symbols(module);
  if (failed(verifyOps(module)) || failed(verifyFunctions(module, symbols)) ||
      failed(verifyNames(module)))
    return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(verifySignature(function)))
      return failure();
  return verifyRoles(module, symbols);
}
