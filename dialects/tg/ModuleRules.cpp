//===- ModuleRules.cpp - what holds for a module as a whole ---------------===//
#include "dialects/tg/ModuleRules.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tg;

static constexpr StringLiteral kName = "tg.name";
static constexpr StringLiteral kDims = "tg.dims";
static constexpr StringLiteral kRole = "tg.role";
static constexpr size_t kMaximumName = 255;

namespace {
/// One argument or result of a function, with its attributes.
struct Port {
  func::FuncOp function;
  bool isArgument;
  unsigned number;

  Attribute get(StringRef name) {
    return isArgument ? function.getArgAttr(number, name)
                      : function.getResultAttr(number, name);
  }
  DictionaryAttr getAll() {
    return isArgument ? function.getArgAttrDict(number)
                      : function.getResultAttrDict(number);
  }
  Type getType() {
    return isArgument ? function.getArgumentTypes()[number]
                      : function.getResultTypes()[number];
  }
  /// The name, empty where there is none.
  StringRef getName() {
    auto name = dyn_cast_or_null<StringAttr>(get(kName));
    return name ? name.getValue() : StringRef();
  }
  /// Starts a message that says which port is meant.
  InFlightDiagnostic error() {
    return function.emitOpError()
           << (isArgument ? "argument " : "result ") << number << ": ";
  }
};
} // namespace

static SmallVector<Port> argumentsOf(func::FuncOp function) {
  SmallVector<Port> ports;
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    ports.push_back({function, /*isArgument=*/true, number});
  return ports;
}

static SmallVector<Port> resultsOf(func::FuncOp function) {
  SmallVector<Port> ports;
  for (unsigned number = 0; number < function.getNumResults(); ++number)
    ports.push_back({function, /*isArgument=*/false, number});
  return ports;
}

static SmallVector<Port> portsOf(func::FuncOp function) {
  SmallVector<Port> ports = argumentsOf(function);
  llvm::append_range(ports, resultsOf(function));
  return ports;
}

//===----------------------------------------------------------------------===//
// M9: ops
//===----------------------------------------------------------------------===//

static LogicalResult verifyOps(ModuleOp module) {
  WalkResult result = module.walk([&](Operation *op) {
    if (op == module || isa<func::FuncOp, func::ReturnOp, func::CallOp>(op) ||
        isa_and_nonnull<TgDialect>(op->getDialect()))
      return WalkResult::advance();
    op->emitOpError() << "expected only tg ops, func.func, func.return and "
                         "func.call [M9]";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
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
  for (func::FuncOp function : functions)
    if (!function.getBody().hasOneBlock())
      return function.emitOpError() << "expected a body of one block [M3]";
  SmallVector<func::FuncOp> open;
  llvm::DenseSet<Operation *> done;
  for (func::FuncOp function : functions)
    if (failed(verifyCalls(function, symbols, open, done)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// G1: types of arguments and results
//===----------------------------------------------------------------------===//

/// Ops check their own operands; an argument may have no op.
static LogicalResult verifyType(Port port) {
  auto tensor = dyn_cast<RankedTensorType>(port.getType());
  if (tensor && !tensor.getEncoding()) {
    Type element = tensor.getElementType();
    if (element.isF32() || element.isF64() || element.isSignlessInteger(1) ||
        element.isSignlessInteger(32) || element.isSignlessInteger(64) ||
        element.isUnsignedInteger(8))
      return success();
  }
  return port.error() << "expected a ranked tensor without encoding of f32, "
                         "f64, i32, i64, ui8 or i1, found "
                      << port.getType() << " [G1]";
}

//===----------------------------------------------------------------------===//
// M1: names
//===----------------------------------------------------------------------===//

static bool isIdentifier(StringRef name, StringRef alsoAllowed) {
  if (name.empty() || !(llvm::isAlpha(name[0]) || name[0] == '_'))
    return false;
  return llvm::all_of(name, [&](char c) {
    return llvm::isAlnum(c) || c == '_' || alsoAllowed.contains(c);
  });
}

static bool isName(StringRef name) {
  if (name.size() > kMaximumName || !isIdentifier(name, "./-"))
    return false;
  return llvm::none_of(llvm::split(name, '/'), [](StringRef component) {
    return component.empty() || component == "." || component == "..";
  });
}

/// Says all names that are wrong, not the first alone.
static LogicalResult verifyNames(ModuleOp module) {
  LogicalResult result = success();
  auto check = [&](Operation *op, StringRef name) {
    if (!isName(name))
      result = op->emitOpError()
               << "expected a name like fc1/W of up to " << kMaximumName
               << " characters, found '" << name << "' [M1]";
  };
  if (std::optional<StringRef> name = module.getSymName())
    check(module, *name);
  for (Operation &op : *module.getBody())
    if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      check(&op, symbol.getName());
  for (auto function : module.getOps<func::FuncOp>())
    for (Port port : portsOf(function))
      if (port.get(kName))
        check(function, port.getName());
  return result;
}

//===----------------------------------------------------------------------===//
// M8: attributes
//===----------------------------------------------------------------------===//

static bool isListOfStrings(Attribute value) {
  auto list = dyn_cast<ArrayAttr>(value);
  return list && llvm::all_of(list, llvm::IsaPred<StringAttr>);
}

static LogicalResult verifyPortAttributes(Port port) {
  DictionaryAttr attributes = port.getAll();
  if (!attributes)
    return success();
  for (NamedAttribute attribute : attributes) {
    StringRef name = attribute.getName();
    if (!name.starts_with("tg."))
      continue;
    if (name == kName ? isa<StringAttr>(attribute.getValue())
                      : name == kDims && isListOfStrings(attribute.getValue()))
      continue;
    return port.error() << "expected tg.name, a string, or tg.dims, a list of "
                           "strings, found "
                        << name << " [M8]";
  }
  return success();
}

static LogicalResult verifyAttributes(func::FuncOp function) {
  for (NamedAttribute attribute : function->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (!name.starts_with("tg."))
      continue;
    auto role = dyn_cast<StringAttr>(attribute.getValue());
    if (name == kRole && role &&
        llvm::is_contained({"init", "train", "test"}, role.getValue()))
      continue;
    return function.emitOpError()
           << "expected tg.role as init, train or test, found " << name
           << " as " << attribute.getValue() << " [M8]";
  }
  for (Port port : portsOf(function))
    if (failed(verifyPortAttributes(port)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// M2: names of inputs and outputs
//===----------------------------------------------------------------------===//

static LogicalResult verifyUniqueNames(ArrayRef<Port> ports) {
  llvm::StringSet<> names;
  for (Port port : ports) {
    if (!port.get(kName))
      return port.error() << "expected a tg.name [M2]";
    if (!names.insert(port.getName()).second)
      return port.error() << "expected unique names, found '" << port.getName()
                          << "' twice [M2]";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// M7: names of extents
//===----------------------------------------------------------------------===//

/// Checks the list of one port; arguments add to `names`, results look there.
static LogicalResult verifyDims(Port port, llvm::StringSet<> &names) {
  auto dims = cast_or_null<ArrayAttr>(port.get(kDims));
  auto type = dyn_cast<RankedTensorType>(port.getType());
  if (!dims || !type)
    return success();
  if (int64_t(dims.size()) != type.getRank())
    return port.error() << "expected tg.dims with " << type.getRank()
                        << " entries, found " << dims.size() << " [M7]";
  for (auto [axis, entry] :
       llvm::enumerate(dims.getAsValueRange<StringAttr>())) {
    if (entry.empty())
      continue;
    if (!type.isDynamicDim(axis))
      return port.error() << "expected '" << entry << "' to name a ?, found "
                          << type.getDimSize(axis) << " [M7]";
    if (!isIdentifier(entry, ""))
      return port.error() << "expected a name of letters, digits and _, found '"
                          << entry << "' [M7]";
    if (port.isArgument)
      names.insert(entry);
    else if (!names.contains(entry))
      return port.error() << "expected '" << entry
                          << "' to name an extent of an argument [M7]";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// M4 to M6: roles
//===----------------------------------------------------------------------===//

static StringRef roleOf(func::FuncOp function) {
  auto role = function->getAttrOfType<StringAttr>(kRole);
  return role ? role.getValue() : StringRef();
}

static LogicalResult verifyInitSignature(func::FuncOp init) {
  if (init.getNumResults() != 0)
    return init.emitOpError() << "expected an init function without results, "
                                 "found "
                              << init.getNumResults() << " [M4]";
  if (init.getNumArguments() == 0)
    return success();
  Port seed{init, /*isArgument=*/true, 0};
  auto number =
      RankedTensorType::get({}, IntegerType::get(init.getContext(), 64));
  if (init.getNumArguments() == 1 && seed.getType() == number &&
      seed.getName() == "seed")
    return success();
  return init.emitOpError() << "expected an init function to have no argument "
                               "or one, a tensor<i64> named 'seed' [M4]";
}

/// Calls `visit` for every op that `root` reaches, through calls too, until
/// one fails.
static LogicalResult
visitReached(Operation *root, SymbolTable &symbols,
             function_ref<LogicalResult(Operation *)> visit) {
  WalkResult result = root->walk([&](Operation *op) {
    if (failed(visit(op)))
      return WalkResult::interrupt();
    auto call = dyn_cast<func::CallOp>(op);
    if (!call)
      return WalkResult::advance();
    return WalkResult(
        visitReached(symbols.lookup(call.getCallee()), symbols, visit));
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
  for (Operation &op : init.getBody().front()) {
    if (failed(visitReached(&op, symbols, visit)))
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

static LogicalResult verifyRoles(ModuleOp module, SymbolTable &symbols) {
  func::FuncOp init;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (roleOf(function) == "test" &&
        failed(visitReached(function, symbols, [](Operation *op) {
          if (isa<AssignOp, UpdateOp>(op))
            return LogicalResult(op->emitOpError()
                                 << "expected a test function to change no "
                                    "variable [M6]");
          return success();
        })))
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
  for (auto function : module.getOps<func::FuncOp>()) {
    if (failed(verifyAttributes(function)))
      return failure();
    if (function.isPublic() &&
        (failed(verifyUniqueNames(argumentsOf(function))) ||
         failed(verifyUniqueNames(resultsOf(function)))))
      return failure();
    llvm::StringSet<> extents;
    for (Port port : portsOf(function))
      if (failed(verifyType(port)) || failed(verifyDims(port, extents)))
        return failure();
  }
  return verifyRoles(module, symbols);
}
