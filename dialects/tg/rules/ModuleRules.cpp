//===- ModuleRules.cpp - constraints on a whole module --------------------===//
#include "dialects/tg/rules/ModuleRules.h"
#include "dialects/tg/Tg.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace tg;

/// The upper bound on nested calls. Deeper calls would overflow the stack of
/// passes that recurse into callees.
static constexpr size_t kMaximumCallDepth = 1000;

//===----------------------------------------------------------------------===//
// M8 and M9: attributes and ops of the module
//===----------------------------------------------------------------------===//

static bool isModelOp(Operation *op) {
  return isa<func::FuncOp, func::ReturnOp, func::CallOp>(op) ||
         isa_and_nonnull<TgDialect>(op->getDialect());
}

static LogicalResult verifyOps(ModuleOp module) {
  LogicalResult result = success();
  for (NamedAttribute attribute : module->getDiscardableAttrs())
    if (attribute.getName().strref().starts_with("tg."))
      result = module.emitError() << "expected no attribute "
                                  << attribute.getName() << " on a module [M8]";
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == module || isModelOp(op))
      return WalkResult::advance();
    result = op->emitOpError() << "is no op of a model, expected only tg ops, "
                                  "func.func, func.return and func.call [M9]";
    return WalkResult::skip();
  });
  for (Operation &op : *module.getBody())
    if (isModelOp(&op) && !isa<func::FuncOp, VariableOp>(op))
      result = op.emitOpError() << "is at the top level of the module, "
                                   "expected it in a function [M9]";
  return result;
}

//===----------------------------------------------------------------------===//
// M3: functions and calls
//===----------------------------------------------------------------------===//

namespace {
/// The calls between functions, and the depth of calls of each function.
class CallGraph {
public:
  explicit CallGraph(SymbolTable &symbols) : symbols(symbols) {}

  /// Visits `function` and all functions that it reaches, each once. Fails if a
  /// function makes an invalid call, or is reached again during its own visit.
  /// The implementation is a loop, because the calls of a model may nest very
  /// deeply.
  LogicalResult visit(func::FuncOp function);
  /// Fails at the first call in `function` by which calls nest deeper than the
  /// limit. Run after all functions are visited, so that the message does not
  /// depend on their order.
  LogicalResult verifyDepth(func::FuncOp function);

private:
  struct Node {
    SmallVector<func::CallOp> calls;
    /// The index of the next call to visit.
    size_t next = 0;
    /// The length of the longest chain of calls that starts in the function.
    size_t depth = 0;
    /// True until all calls were visited.
    bool isOpen = true;
  };

  /// Starts to visit a function.
  void open(func::FuncOp function);
  func::FuncOp calleeOf(func::CallOp call) {
    return symbols.lookup<func::FuncOp>(call.getCallee());
  }
  /// Checks that a call is valid, and starts to visit the callee if it is new.
  LogicalResult followCall(func::CallOp call);

  SymbolTable &symbols;
  llvm::DenseMap<Operation *, std::unique_ptr<Node>> nodes;
  SmallVector<func::FuncOp> path;
};
} // namespace

void CallGraph::open(func::FuncOp function) {
  auto node = std::make_unique<Node>();
  function.walk([&](func::CallOp call) { node->calls.push_back(call); });
  nodes[function] = std::move(node);
  path.push_back(function);
}

LogicalResult CallGraph::followCall(func::CallOp call) {
  func::FuncOp callee = calleeOf(call);
  if (!callee || callee.isPublic())
    return call.emitOpError()
           << "expected to call a private function, found "
           << (callee ? "a public one" : "no function of the name") << " [M3]";
  auto known = nodes.find(callee);
  if (known == nodes.end())
    return open(callee), success();
  if (known->second->isOpen)
    return call.emitOpError() << "expected no recursion, found a recursive "
                                 "call of @"
                              << call.getCallee() << " [M3]";
  return success();
}

LogicalResult CallGraph::visit(func::FuncOp function) {
  if (nodes.contains(function))
    return success();
  LogicalResult result = success();
  open(function);
  while (!path.empty()) {
    Node &node = *nodes[path.back()];
    if (node.next < node.calls.size()) {
      if (failed(followCall(node.calls[node.next++])))
        result = failure();
      continue;
    }
    for (func::CallOp call : node.calls)
      if (auto callee = nodes.find(calleeOf(call)); callee != nodes.end())
        node.depth = std::max(node.depth, callee->second->depth + 1);
    node.isOpen = false;
    path.pop_back();
  }
  return result;
}

LogicalResult CallGraph::verifyDepth(func::FuncOp function) {
  for (func::CallOp call : nodes[function]->calls)
    if (nodes[calleeOf(call)]->depth == kMaximumCallDepth)
      return call.emitOpError()
             << "expected calls nested at most " << kMaximumCallDepth
             << " deep, found one more [M3]";
  return success();
}

static LogicalResult verifyFunctions(ModuleOp module, SymbolTable &symbols) {
  auto functions = module.getOps<func::FuncOp>();
  if (llvm::none_of(functions,
                    [](func::FuncOp function) { return function.isPublic(); }))
    return module.emitError()
           << "expected at least one public function, found none [M3]";
  LogicalResult result = success();
  for (func::FuncOp function : functions) {
    if (!function.getBody().hasOneBlock())
      result = function.emitOpError()
               << "expected a body of one block, found "
               << function.getBody().getBlocks().size() << " [M3]";
    if (function.isNested())
      result =
          function.emitOpError()
          << "expected a public or a private function, found a nested one [M3]";
  }
  if (failed(result))
    return failure();
  CallGraph graph(symbols);
  for (func::FuncOp function : functions)
    if (failed(graph.visit(function)))
      result = failure();
  if (failed(result))
    return failure();
  for (func::FuncOp function : functions)
    if (failed(graph.verifyDepth(function)))
      result = failure();
  return result;
}

//===----------------------------------------------------------------------===//
// M4 to M6: roles
//===----------------------------------------------------------------------===//

static LogicalResult verifyInitSignature(func::FuncOp init) {
  if (!init.isPublic())
    return init.emitOpError()
           << "expected a public init function, found a private one [M4]";
  if (init.getNumResults() != 0)
    return init.emitOpError() << "expected an init function without results, "
                                 "found "
                              << init.getNumResults() << " [M4]";
  if (init.getNumArguments() == 0)
    return success();
  auto seedType =
      RankedTensorType::get({}, IntegerType::get(init.getContext(), 64));
  auto name = init.getArgAttrOfType<StringAttr>(0, "tg.name");
  if (init.getNumArguments() == 1 && init.getArgumentTypes()[0] == seedType &&
      name && name.getValue() == "seed")
    return success();
  InFlightDiagnostic error = init.emitOpError();
  error << "expected an init function to have no argument or one, a "
           "tensor<i64> named 'seed', found ";
  if (init.getNumArguments() != 1)
    return error << init.getNumArguments() << " arguments [M4]";
  error << "a " << llvm::to_string(init.getArgumentTypes()[0]);
  if (name)
    error << " named '" << name.getValue() << "'";
  return error << " [M4]";
}

/// Calls `visit` for every op that `root` reaches, also through calls. Ops in
/// functions are visited once; `seen` holds the visited functions.
static LogicalResult
visitReached(Operation *root, SymbolTable &symbols,
             llvm::DenseSet<Operation *> &seen,
             function_ref<LogicalResult(Operation *)> visit) {
  LogicalResult result = success();
  root->walk([&](Operation *op) {
    if (failed(visit(op)))
      result = failure();
    auto call = dyn_cast<func::CallOp>(op);
    Operation *callee = call ? symbols.lookup(call.getCallee()) : nullptr;
    if (callee && seen.insert(callee).second &&
        failed(visitReached(callee, symbols, seen, visit)))
      result = failure();
  });
  return result;
}

static LogicalResult verifyInitBody(func::FuncOp init, SymbolTable &symbols) {
  llvm::StringSet<> assigned;
  auto isReady = [&](StringRef name) {
    auto variable = symbols.lookup<VariableOp>(name);
    return !variable || variable.getSlotOf() || assigned.contains(name);
  };
  LogicalResult result = success();
  auto visit = [&](Operation *op) -> LogicalResult {
    for (StringRef name : readVariables(op))
      if (!isReady(name))
        result = op->emitOpError() << "expected the init function to assign '"
                                   << name << "' before it is read [M5]";
    return success();
  };
  // Each function is visited once: variables that are assigned before its first
  // call are also assigned before its later calls.
  llvm::DenseSet<Operation *> seen;
  for (Operation &op : init.getBody().front()) {
    (void)visitReached(&op, symbols, seen, visit);
    if (auto assign = dyn_cast<AssignOp>(op))
      assigned.insert(assign.getVariable());
  }
  for (auto variable : init->getParentOfType<ModuleOp>().getOps<VariableOp>())
    if (!isReady(variable.getSymName()))
      result = init.emitOpError() << "expected the init function to assign '"
                                  << variable.getSymName() << "' [M5]";
  return result;
}

static LogicalResult verifyTestBody(func::FuncOp test, SymbolTable &symbols) {
  llvm::DenseSet<Operation *> seen;
  return visitReached(test, symbols, seen, [](Operation *op) {
    if (assignsVariables(op))
      return LogicalResult(op->emitOpError()
                           << "changes a variable, expected a test function to "
                              "change none [M6]");
    return success();
  });
}

static LogicalResult verifyRoles(ModuleOp module, SymbolTable &symbols) {
  LogicalResult result = success();
  func::FuncOp init;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (roleOf(function) == "test" && failed(verifyTestBody(function, symbols)))
      result = failure();
    if (roleOf(function) != "init")
      continue;
    if (init) {
      result = function.emitOpError()
               << "expected at most one init function, found @"
               << init.getSymName() << " and @" << function.getSymName()
               << " [M4]";
      continue;
    }
    init = function;
    if (failed(verifyInitSignature(function)))
      result = failure();
    if (failed(verifyInitBody(function, symbols)))
      result = failure();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// All rules
//===----------------------------------------------------------------------===//

LogicalResult tg::verifyModuleRules(ModuleOp module) {
  SymbolTable symbols(module);
  LogicalResult result = verifyOps(module);
  if (failed(verifyNames(module)))
    result = failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(verifySignature(function)))
      result = failure();
  if (failed(verifyFunctions(module, symbols)))
    return failure();
  return success(succeeded(verifyRoles(module, symbols)) && succeeded(result));
}
