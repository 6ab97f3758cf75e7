//===- BodyNames.cpp - the names of ops, values and dynamic extents -------===//
#include "compiler/frontend/body/BodyImpl.h"
#include "compiler/frontend/body/EagerEvaluator.h"
#include "dialects/tg/Suggestions.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/movement/ConstantOps.h"
#include "dialects/tg/ops/movement/ShapeOps.h"
#include "dialects/tg/rules/SignatureRules.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tg;
using namespace tg::dsl;

std::string dsl::suggestOf(const std::string &name,
                           const std::vector<std::string> &known) {
  return suggestName(name, llvm::to_vector_of<llvm::StringRef>(known));
}

std::string Body::Impl::scopedName(llvm::StringRef name) const {
  std::string path = this->path();
  return path.empty() ? name.str() : path + "/" + name.str();
}

std::string Body::Impl::takeName(const std::string &base) {
  auto [found, isNew] = takenNames.try_emplace(base, 0);
  if (isNew)
    return base;
  std::string name;
  do
    name = base + "_" + std::to_string(++takenNames[base]);
  while (!takenNames.try_emplace(name, 0).second);
  return name;
}

std::string Body::uniqueName(const std::string &name) {
  std::string found = name;
  auto isTaken = [&] {
    return impl->takenNames.contains(found) || findVariable(found) ||
           llvm::any_of(impl->inputs, [&](const auto &input) {
             return input.first == found;
           });
  };
  for (unsigned number = 1; isTaken(); ++number)
    found = name + "_" + std::to_string(number);
  return found;
}

//===----------------------------------------------------------------------===//
// Default names
//===----------------------------------------------------------------------===//

/// Converts a mnemonic to camel case: reduce_sum becomes ReduceSum.
static std::string camelCase(llvm::StringRef mnemonic) {
  SmallVector<llvm::StringRef> words;
  mnemonic.split(words, '_');
  std::string text;
  for (llvm::StringRef word : words) {
    text += llvm::toUpper(word.front());
    text += word.drop_front();
  }
  return text;
}

/// Returns the scopes in which an op was built, including the mode of a layer,
/// with a trailing slash: Linear_1/train_fprop/.
static std::string scopeOf(Operation *op) {
  std::string scope;
  for (auto name = dyn_cast<NameLoc>(op->getLoc()); name;
       name = dyn_cast<NameLoc>(name.getChildLoc()))
    scope += name.getName().str() + "/";
  return scope;
}

std::string Body::Impl::kindOf(Operation *op) const {
  if (auto found = opKinds.find(op); found != opKinds.end())
    return found->second;
  return isa<ConstantOp>(op) ? "Const"
                             : camelCase(op->getName().stripDialect());
}

/// Returns the name of an op before the suffix that makes it unique.
static std::string plainNameOf(const Body::Impl &impl, Operation *op) {
  if (impl.opKinds.contains(op))
    return scopeOf(op) + impl.kindOf(op);
  if (auto read = dyn_cast<ReadOp>(op)) {
    Id declared =
        impl.variables[impl.variableByName.lookup(read.getVariable())].read;
    bool isDeclared = impl.values[declared] == read.getResult();
    return read.getVariable().str() + (isDeclared ? "" : "/read");
  }
  auto initial = impl.initialOps.find(op);
  return (initial == impl.initialOps.end()
              ? scopeOf(op)
              : initial->second + "/initial_value/") +
         impl.kindOf(op);
}

bool Body::Impl::isAlias(Operation *op) const {
  return isa<UnrealizedConversionCastOp>(op) && !opKinds.contains(op);
}

void Body::Impl::nameOps() {
  for (size_t i = inputNames.size(); i < inputs.size(); ++i)
    inputNames.push_back(isSeed(top->getArgument(i))
                             ? inputs[i].first
                             : takeName(inputs[i].first));
  for (Operation &op : *top)
    if (!isAlias(&op) && !opNames.contains(&op))
      opNames[&op] = takeName(plainNameOf(*this, &op));
}

std::string Body::Impl::opNameOf(Value value) {
  nameOps();
  while (Operation *op = value.getDefiningOp()) {
    if (!isAlias(op) || opNames.contains(op))
      break;
    if (Operation *effect = effectOf.lookup(op))
      return opNames.lookup(effect);
    value = op->getOperand(0);
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() == top ? inputNames[argument.getArgNumber()]
                                      : "element";
  Operation *op = top->findAncestorOpInBlock(*value.getDefiningOp());
  return opNames.lookup(op);
}

unsigned Body::Impl::resultNumberOf(Value value) {
  while (auto alias = value.getDefiningOp<UnrealizedConversionCastOp>())
    value = alias.getOperand(0);
  auto result = dyn_cast<OpResult>(value);
  return result ? result.getResultNumber() : 0;
}

std::string Body::nameOf(Id value) {
  Value named = impl->values[value];
  return impl->opNameOf(named) + ":" +
         std::to_string(Impl::resultNumberOf(named));
}

Id Body::withoutShapes(Id value) {
  Value shaped = impl->values[value];
  while (auto check = shaped.getDefiningOp<EnsureShapeOp>())
    shaped = check.getInput();
  return shaped == impl->values[value] ? value : impl->add(shaped);
}

std::string Body::placeOf(std::optional<Id> value, Place from) const {
  if (value && impl->evaluator)
    return "";
  Location loc = value && impl->values[*value] ? impl->values[*value].getLoc()
                                               : impl->module->getLoc();
  Error place = makeError("", loc);
  if (place.line == 0)
    return "";
  return (place.file == from.file_name() ? "line " : place.file + ":") +
         std::to_string(place.line);
}

//===----------------------------------------------------------------------===//
// User-defined names
//===----------------------------------------------------------------------===//

std::string Body::Impl::checkName(llvm::StringRef name, llvm::StringRef what) {
  return isName(name) ? ""
                      : "expected a name like fc1/W of up to " +
                            std::to_string(kMaximumName) +
                            " letters, digits and _ . / - for " + what.str() +
                            ", found '" + name.str() + "'";
}

static Result<Nothing> failAt(std::string message, Place where) {
  return {{},
          dsl::Error{std::move(message), where.file_name(), where.line(),
                     where.column()}};
}

Result<Nothing> Body::setName(Id value, const std::string &name, Place where) {
  if (std::string mistake = Impl::checkName(name, "a tensor"); !mistake.empty())
    return failAt(mistake, effectivePlace(where));
  if (impl->evaluator)
    return {}; // values have no names
  Value named = impl->values[value];
  std::string taken = impl->takeName(impl->scopedName(name));
  auto argument = dyn_cast<BlockArgument>(named);
  if (!argument) {
    Operation *op = named.getDefiningOp();
    Operation *effect = impl->effectOf.lookup(op);
    impl->opNames[effect ? effect : op] = taken;
  } else if (argument.getOwner() == impl->top) {
    impl->nameOps();
    impl->inputNames[argument.getArgNumber()] = taken;
  }
  return {};
}

void Body::setKind(Id value, std::string kind) {
  if (impl->evaluator)
    return;
  if (Operation *op = impl->values[value].getDefiningOp())
    impl->opKinds[op] = std::move(kind);
}

void Body::setEffectKind(Id effect, std::string kind) {
  if (impl->evaluator)
    return;
  impl->opKinds[impl->effects[effect]] = std::move(kind);
}

Result<Nothing> Body::pushUniqueScope(const std::string &name, Place where) {
  if (std::string mistake = Impl::checkName(name, "a scope"); !mistake.empty())
    return failAt(mistake, effectivePlace(where));
  // Eager mode builds the same scopes in each step.
  std::string path = impl->scopedName(name);
  if (!impl->evaluator)
    path = impl->takeName(path);
  std::string outer = impl->path();
  pushScope(outer.empty() ? path : path.substr(outer.size() + 1), std::nullopt);
  return {};
}

int64_t Body::axisOf(Id extent, Id input) const {
  if (impl->evaluator)
    return -1; // extents are known
  auto dim = impl->values[extent].getDefiningOp<DimOp>();
  return dim && dim.getInput() == impl->values[input] ? dim.getAxis() : -1;
}

//===----------------------------------------------------------------------===//
// Lookup of names
//===----------------------------------------------------------------------===//

Body::Named Body::find(const std::string &name) {
  auto [base, suffix] = llvm::StringRef(name).rsplit(':');
  unsigned index = 0;
  if (!suffix.empty() && suffix.getAsInteger(10, index))
    return {};
  std::string full = base.str() + ":" + std::to_string(index);
  if (auto known = impl->valuesByName.find(full);
      known != impl->valuesByName.end())
    return {known->second};
  impl->nameOps();
  Value found;
  for (auto [input, argument] :
       llvm::zip(impl->inputNames, impl->top->getArguments()))
    if (input == base && index == 0 && !impl->isSeed(argument))
      found = argument;
  for (auto &[op, opName] : impl->opNames) {
    if (opName != base)
      continue;
    if (auto value = impl->effectValues.find(op);
        value != impl->effectValues.end())
      return {value->second};
    auto effect = llvm::find(impl->effects, op);
    if (op->getNumResults() == 0 && effect != impl->effects.end())
      return {{}, Id(effect - impl->effects.begin())};
    if (index < op->getNumResults())
      found = op->getResult(index);
  }
  if (!found)
    return {};
  return {impl->valuesByName[full] = impl->add(found)};
}

/// Returns the position of an op in the list of suggested names, which begins
/// with placeholders (0): values without uses, variables, other values, then
/// constants and the ops of initial values.
static int suggestionOrderOf(const Body::Impl &impl, Operation *op) {
  if (impl.initialOps.contains(op) || isa<ConstantOp>(op))
    return 4;
  if (isa<ReadOp>(op))
    return 2;
  return op->getNumResults() > 0 && op->use_empty() ? 1 : 3;
}

std::string Body::suggest(const std::string &name) {
  bool isTensor = name.find(':') != std::string::npos;
  // Operations are in program order.
  std::vector<OperationInfo> all = operations();
  std::map<std::string, int> ranks;
  for (const auto &[op, opName] : impl->opNames)
    ranks[opName] = suggestionOrderOf(*impl, op);
  std::map<int, std::vector<std::string>> ranked;
  for (const OperationInfo &info : all) {
    std::vector<std::string> &names = ranked[ranks[info.name]];
    if (isTensor)
      llvm::append_range(names, info.tensors);
    else
      names.push_back(info.name);
  }
  std::vector<std::string> known;
  for (const auto &[rank, names] : ranked)
    llvm::append_range(known, names);
  return suggestOf(name, known);
}

//===----------------------------------------------------------------------===//
// Names of dynamic extents
//===----------------------------------------------------------------------===//

/// The maximum number of extents of inputs and region arguments that have a
/// symbol of their own, and the first symbol of the others. The symbols in
/// between are for unconstrained numbers.
static constexpr unsigned kTrackedExtents = 256, kFirstUntracked = 1u << 20;

void Body::Impl::trackExtents() {
  // Makes the symbols of unknown numbers follow those of named extents.
  Block empty;
  (void)extents.run(empty, kTrackedExtents);
}

/// Returns the symbol of an extent. Equal names share a symbol; an extent
/// without a name has its own.
AffineExpr Body::Impl::symbolOf(const Extent &extent) {
  auto found = llvm::find(extentNames, extent.name);
  if (extent.name.empty() || found == extentNames.end()) {
    if (extentNames.size() == kTrackedExtents)
      return getAffineSymbolExpr(kFirstUntracked + untrackedExtents++,
                                 &context);
    found = extentNames.insert(extentNames.end(), extent.name);
  }
  return getAffineSymbolExpr(found - extentNames.begin(), &context);
}

void Body::Impl::trackExtents(Value value, const Shape &shape) {
  SmallVector<AffineExpr> known;
  for (const Extent &extent : shape)
    known.push_back(extent.isKnown()
                        ? getAffineConstantExpr(extent.value, &context)
                        : symbolOf(extent));
  extents.setExtents(value, known);
}

/// Sets the extents of an op's results from their types alone, because the op
/// is not verified yet and its shape rule may not run. An alias has the extents
/// of its value.
void Body::Impl::noteInserted(Operation *op) {
  extents.setFromTypes(op);
  if (auto alias = dyn_cast<UnrealizedConversionCastOp>(op))
    copyExtents(alias.getOperand(0), alias.getResult(0));
}

void Body::Impl::copyExtents(Value from, Value to) {
  if (extents.hasExtents(from))
    extents.setExtents(to, SmallVector<AffineExpr>(extents.extentsOf(from)));
}

void Body::Impl::addArgumentLike(Block &block, Value value, Location loc) {
  copyExtents(value, block.addArgument(value.getType(), loc));
}

/// Analyzes the extents of the results of a verified op. If its rule fails for
/// the extents of the operands, the extents of the types are used.
void Body::Impl::trackExtents(Operation *op) {
  if (failed(extents.visit(op)))
    extents.setFromTypes(op);
}

void Body::Impl::nameExtents(Value value, Shape &shape) const {
  if (!extents.hasExtents(value) ||
      extents.extentsOf(value).size() != shape.size())
    return;
  for (auto [extent, number] : llvm::zip_equal(shape, extents.extentsOf(value)))
    if (auto symbol = dyn_cast<AffineSymbolExpr>(number);
        symbol && !extent.isKnown() &&
        symbol.getPosition() < extentNames.size())
      extent.name = extentNames[symbol.getPosition()];
}
