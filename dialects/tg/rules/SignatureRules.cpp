//===- SignatureRules.cpp - constraints on names and signatures -----------===//
#include "dialects/tg/rules/SignatureRules.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/Tg.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tg;

static constexpr StringLiteral kName = "tg.name";
static constexpr StringLiteral kDims = "tg.dims";
static constexpr StringLiteral kRole = "tg.role";

namespace {
/// One argument or result of a function, with its attributes.
struct Port {
  func::FuncOp function;
  bool isArgument;
  unsigned index;

  Attribute get(StringRef name) {
    return isArgument ? function.getArgAttr(index, name)
                      : function.getResultAttr(index, name);
  }
  DictionaryAttr getAll() {
    return isArgument ? function.getArgAttrDict(index)
                      : function.getResultAttrDict(index);
  }
  Type getType() {
    return isArgument ? function.getArgumentTypes()[index]
                      : function.getResultTypes()[index];
  }
  /// Returns the name, empty if there is none.
  StringRef getName() {
    auto name = dyn_cast_or_null<StringAttr>(get(kName));
    return name ? name.getValue() : StringRef();
  }
  /// Starts a message that names the port.
  InFlightDiagnostic error() {
    return emitError(getLoc())
           << "'" << function->getName() << "' op " << describe() << ": ";
  }
  /// Returns "argument 2", counted from 1.
  std::string describe() {
    return (isArgument ? "argument " : "result ") + std::to_string(index + 1);
  }
  /// Returns the location of an argument, or of the function for a result.
  Location getLoc() {
    return isArgument && !function.isDeclaration()
               ? function.getArgument(index).getLoc()
               : function.getLoc();
  }
};
} // namespace

static SmallVector<Port> argumentsOf(func::FuncOp function) {
  SmallVector<Port> ports;
  for (unsigned index = 0; index < function.getNumArguments(); ++index)
    ports.push_back({function, /*isArgument=*/true, index});
  return ports;
}

static SmallVector<Port> resultsOf(func::FuncOp function) {
  SmallVector<Port> ports;
  for (unsigned index = 0; index < function.getNumResults(); ++index)
    ports.push_back({function, /*isArgument=*/false, index});
  return ports;
}

static SmallVector<Port> portsOf(func::FuncOp function) {
  SmallVector<Port> ports = argumentsOf(function);
  llvm::append_range(ports, resultsOf(function));
  return ports;
}

//===----------------------------------------------------------------------===//
// G1: types of arguments and results
//===----------------------------------------------------------------------===//

/// Checks the type of a port. Ops check their own operands, but an argument may
/// have no op.
static LogicalResult verifyType(Port port) {
  if (isAdmittedTensor(port.getType()))
    return success();
  return port.error() << "expected a ranked tensor without encoding of "
                      << describe(ElementClass::any) << ", found "
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

bool tg::isName(StringRef name) {
  if (name.size() > kMaximumName || !isIdentifier(name, "./-"))
    return false;
  return llvm::none_of(llvm::split(name, '/'), [](StringRef component) {
    return component.empty() || component == "." || component == "..";
  });
}

// Reports all invalid names, not only the first.
LogicalResult tg::verifyNames(ModuleOp module) {
  LogicalResult result = success();
  auto check = [&](Operation *op, StringRef name) {
    if (isName(name))
      return;
    // The message on a module names no op, because the module is the model.
    InFlightDiagnostic error =
        isa<ModuleOp>(op) ? op->emitError() : op->emitOpError();
    result = error << "expected a name like fc1/W of up to " << kMaximumName
                   << " characters, found '" << name << "' [M1]";
  };
  if (std::optional<StringRef> name = module.getSymName())
    check(module, *name);
  for (Operation &op : *module.getBody())
    if (auto symbol = dyn_cast<SymbolOpInterface>(op))
      check(&op, symbol.getName());
  llvm::StringSet<> functions;
  for (auto function : module.getOps<func::FuncOp>()) {
    for (Port port : portsOf(function))
      if (isa_and_nonnull<StringAttr>(port.get(kName)))
        check(function, port.getName());
    StringRef name = nameOf(function);
    if (name != function.getSymName())
      check(function, name);
    if (!functions.insert(name).second)
      result = function.emitOpError()
               << "expected functions of different names, found '" << name
               << "' twice [M2]";
  }
  return result;
}

//===----------------------------------------------------------------------===//
// M8: attributes
//===----------------------------------------------------------------------===//

static bool isListOfStrings(Attribute value) {
  auto list = dyn_cast<ArrayAttr>(value);
  return list && llvm::all_of(list, llvm::IsaPred<StringAttr>);
}

/// Checks M10 for an input that is a seed or a call count for random samples. A
/// function has at most one input of each kind.
static LogicalResult verifyRandom(Port port, Attribute value) {
  auto word = dyn_cast<StringAttr>(value);
  if (!word || !llvm::is_contained({"seed", "call"}, word.getValue()))
    return port.error() << "expected tg.random as seed or call, found " << value
                        << " [M10]";
  if (!port.function.isPublic() || roleOf(port.function) == "init")
    return port.error() << "expected tg.random at a public function other than "
                           "init, found it at "
                        << (port.function.isPublic() ? "init"
                                                     : "a private function")
                        << " [M10]";
  auto scalarType = RankedTensorType::get(
      {}, IntegerType::get(port.function.getContext(), 64));
  if (port.getType() != scalarType)
    return port.error() << "expected tg.random at a " << scalarType
                        << ", found " << port.getType() << " [M10]";
  for (Port other : argumentsOf(port.function))
    if (other.index < port.index && other.get(kRandomAttr) == value)
      return port.error() << "expected tg.random = " << value
                          << " once, first at " << other.describe() << " [M10]";
  return success();
}

static LogicalResult verifyPortAttributes(Port port) {
  DictionaryAttr attributes = port.getAll();
  LogicalResult result = success();
  if (!attributes)
    return result;
  for (NamedAttribute attribute : attributes) {
    StringRef name = attribute.getName();
    if (!name.starts_with("tg."))
      continue;
    if (name == kRandomAttr && port.isArgument) {
      if (failed(verifyRandom(port, attribute.getValue())))
        result = failure();
      continue;
    }
    if (name == kName ? isa<StringAttr>(attribute.getValue())
                      : name == kDims && isListOfStrings(attribute.getValue()))
      continue;
    result = port.error() << "expected tg.name, a string, or tg.dims, a list "
                             "of strings, found "
                          << name << " [M8]";
  }
  return result;
}

static LogicalResult verifyAttributes(func::FuncOp function) {
  LogicalResult result = success();
  for (NamedAttribute attribute : function->getDiscardableAttrs()) {
    StringRef name = attribute.getName();
    if (!name.starts_with("tg."))
      continue;
    if (name == kDeviceAttr) {
      if (failed(verifyDevice(function, attribute.getValue())))
        result = failure();
      continue;
    }
    if (name == kName && isa<StringAttr>(attribute.getValue()) &&
        function.isPublic())
      continue;
    auto role = dyn_cast<StringAttr>(attribute.getValue());
    if (name == kRole && role &&
        llvm::is_contained({"init", "train", "test"}, role.getValue()))
      continue;
    result = function.emitOpError()
             << "expected tg.role as init, train or test, found " << name
             << " as " << attribute.getValue() << " [M8]";
  }
  for (Port port : portsOf(function))
    if (failed(verifyPortAttributes(port)))
      result = failure();
  return result;
}

//===----------------------------------------------------------------------===//
// M2: names of inputs and outputs
//===----------------------------------------------------------------------===//

/// Checks that all inputs and outputs have a name, and that no two have the
/// same name, because callers bind both by name.
static LogicalResult verifyUniqueNames(ArrayRef<Port> ports) {
  LogicalResult result = success();
  llvm::StringMap<Port> names;
  for (Port port : ports) {
    if (!port.get(kName)) {
      result = port.error() << "expected a tg.name, found none [M2]";
      continue;
    }
    auto [first, isNew] = names.try_emplace(port.getName(), port);
    if (!isNew)
      result = port.error()
               << "expected unique names, found '" << port.getName()
               << "' twice, first at " << first->second.describe() << " [M2]";
  }
  return result;
}

static LogicalResult verifyCount(ArrayRef<Port> ports) {
  if (ports.size() <= kMaximumValues)
    return success();
  Port first = ports[kMaximumValues];
  return first.error() << "expected at most " << kMaximumValues
                       << (first.isArgument ? " inputs" : " outputs")
                       << " of a function, found " << ports.size() << " [M2]";
}

//===----------------------------------------------------------------------===//
// M7: names of extents
//===----------------------------------------------------------------------===//

/// Checks the names of the extents of one port. The names of arguments are
/// added to `names`, and those of results must be in it.
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
    if (port.isArgument)
      names.insert(entry);
    if (!type.isDynamicDim(axis))
      return port.error() << "expected '" << entry << "' to name a ?, found "
                          << type.getDimSize(axis) << " [M7]";
    if (!isIdentifier(entry, ""))
      return port.error() << "expected a name of letters, digits and _, found '"
                          << entry << "' [M7]";
    if (!names.contains(entry))
      return port.error() << "expected '" << entry
                          << "' to name an extent of an argument [M7]";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// All of one function
//===----------------------------------------------------------------------===//

StringRef tg::nameOf(func::FuncOp function) {
  auto name = function->getAttrOfType<StringAttr>(kName);
  return name ? name.getValue() : function.getSymName();
}

StringRef tg::roleOf(func::FuncOp function) {
  auto role = function->getAttrOfType<StringAttr>(kRole);
  return role ? role.getValue() : StringRef();
}

LogicalResult tg::verifySignature(func::FuncOp function) {
  // The rules below rely on valid attributes.
  if (failed(verifyAttributes(function)))
    return failure();
  LogicalResult result = success();
  if (function.isPublic() && (failed(verifyUniqueNames(portsOf(function))) ||
                              failed(verifyCount(argumentsOf(function))) ||
                              failed(verifyCount(resultsOf(function)))))
    result = failure();
  llvm::StringSet<> extents;
  for (Port port : portsOf(function))
    if (failed(verifyType(port)) || failed(verifyDims(port, extents)))
      result = failure();
  return result;
}
