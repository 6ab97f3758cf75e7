//===- PartitionDevices.cpp - division of functions by devices ------------===//
//
// A part consists of the ops of one stage and device, and of its own copies of
// the replicated ops that it needs.
//
//===----------------------------------------------------------------------===//
#include "compiler/transforms/devices/PartitionDevices.h"
#include "compiler/transforms/Passes.h"
#include "compiler/transforms/devices/DevicePlacement.h"
#include "compiler/transforms/shapes/FunctionSymbols.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace tg {
#define GEN_PASS_DEF_PARTITIONDEVICES
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

namespace {
/// The parts of a function.
class Partition {
public:
  Partition(func::FuncOp function, ArrayRef<std::string> devices)
      : function(function), body(function.getBody().front()), devices(devices),
        placement(body, devices) {}

  SmallVector<DevicePart> run();

private:
  struct Part {
    SmallVector<Operation *> ops;
    llvm::SetVector<Value> inputs, results;
  };

  void collect();
  void addInput(DevicePlace place, Value value);
  DevicePart build(DevicePlace place, Part &part);
  Value cloneReplicated(Value value, OpBuilder &builder, IRMapping &mapping);
  std::string nameOf(Value value);
  /// Returns the names of the extents of a value in the function, "" for an
  /// extent without a name.
  SmallVector<StringRef> extentNamesOf(Value value);
  void nameExtents(func::FuncOp created, const Part &part,
                   ArrayRef<std::pair<Value, std::string>> results);
  std::string resultName(unsigned index) {
    return function.getResultAttrOfType<StringAttr>(index, "tg.name").str();
  }

  func::FuncOp function;
  Block &body;
  ArrayRef<std::string> devices;
  DevicePlacement placement;
  std::map<DevicePlace, Part> parts;
  /// For each value, the indices of the function results that return it; and
  /// the names of other values.
  llvm::DenseMap<Value, SmallVector<unsigned, 1>> returned;
  llvm::DenseMap<Value, std::string> names;
  llvm::StringSet<> taken;
  /// The extents of the function.
  std::optional<FunctionSymbols> symbols;
};
} // namespace

/// Records that a part takes a value. Operands of replicated ops are followed,
/// because the part has its own copy of these ops.
void Partition::addInput(DevicePlace place, Value value) {
  Operation *op = value.getDefiningOp();
  if (op && placement.isReplicated(op))
    return forEachOperand(op, [&](Value operand) { addInput(place, operand); });
  if (op && placement.placeOf(op) == place)
    return;
  parts[place].inputs.insert(value);
  if (op)
    parts[placement.placeOf(op)].results.insert(value);
}

void Partition::collect() {
  for (auto [op, place] : placement.getPlaces())
    parts[place].ops.push_back(op);
  for (auto [op, place] : placement.getPlaces())
    forEachOperand(op, [&](Value value) { addInput(place, value); });
  // The last part of the first device returns replicated values and arguments.
  // If their operands are computed later, a later part of that device returns
  // them.
  DevicePlace last;
  for (auto &[place, part] : parts)
    if (place.device == 0)
      last = place;
  for (auto [index, value] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    returned[value].push_back(index);
    Operation *op = value.getDefiningOp();
    bool isOfPart = op && !placement.isReplicated(op);
    DevicePlace place = isOfPart ? placement.placeOf(op) : last;
    if (op && !isOfPart)
      for (Operation *source : placement.sourcesOf(op)) {
        DevicePlace from = placement.placeOf(source);
        place.stage = std::max(place.stage, from.stage + (from.device != 0));
      }
    parts[place].results.insert(value);
    if (!isOfPart)
      addInput(place, value);
  }
}

std::string Partition::nameOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return function
        .getArgAttrOfType<StringAttr>(argument.getArgNumber(), "tg.name")
        .str();
  if (auto found = returned.find(value);
      found != returned.end() && !found->second.empty())
    return resultName(found->second.front());
  std::string &name = names[value];
  for (unsigned index = names.size(); name.empty(); ++index) {
    std::string free = "crossing." + std::to_string(index);
    if (taken.insert(free).second)
      name = free;
  }
  return name;
}

Value Partition::cloneReplicated(Value value, OpBuilder &builder,
                                 IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneReplicated(operand, builder, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

SmallVector<StringRef> Partition::extentNamesOf(Value value) {
  ExtentAnalysis &extents = symbols->getAnalysis();
  SmallVector<StringRef> found;
  if (!extents.hasExtents(value))
    return found;
  for (AffineExpr extent : extents.extentsOf(value)) {
    auto symbol = dyn_cast<AffineSymbolExpr>(extent);
    bool isInput = symbol && symbol.getPosition() < symbols->getBoundCount();
    StringRef name =
        isInput ? StringRef(symbols->getNames()[symbol.getPosition()]) : "";
    // An extent without a name is named after its input and a number.
    found.push_back(name.contains('.') ? "" : name);
  }
  return found;
}

/// Sets the names of extents: arguments get the names that the function knows,
/// and results get the names of the arguments' extents.
void Partition::nameExtents(func::FuncOp created, const Part &part,
                            ArrayRef<std::pair<Value, std::string>> results) {
  Builder builder(created.getContext());
  llvm::StringSet<> known;
  for (auto [index, input] : llvm::enumerate(part.inputs)) {
    SmallVector<StringRef> found = extentNamesOf(input);
    for (StringRef name : found)
      known.insert(name);
    if (llvm::any_of(found, [](StringRef name) { return !name.empty(); }))
      created.setArgAttr(index, "tg.dims", builder.getStrArrayAttr(found));
  }
  for (auto [index, result] : llvm::enumerate(results)) {
    SmallVector<StringRef> found = extentNamesOf(result.first);
    for (StringRef &name : found)
      name = known.contains(name) ? name : "";
    if (llvm::any_of(found, [](StringRef name) { return !name.empty(); }))
      created.setResultAttr(index, "tg.dims", builder.getStrArrayAttr(found));
  }
}

DevicePart Partition::build(DevicePlace place, Part &part) {
  OpBuilder builder(function);
  SmallVector<std::pair<Value, std::string>> ports;
  for (Value result : part.results)
    if (ArrayRef<unsigned> indices = returned[result]; indices.empty())
      ports.emplace_back(result, nameOf(result));
    else
      for (unsigned index : indices)
        ports.emplace_back(result, resultName(index));
  auto types = [](auto &&values) {
    return llvm::map_to_vector(values,
                               [](Value value) { return value.getType(); });
  };
  bool writes = llvm::any_of(part.ops, hasAssignment);
  auto created = func::FuncOp::create(
      builder, function.getLoc(),
      (function.getSymName() + "." + Twine(place.stage) + "." +
       Twine(place.device))
          .str(),
      builder.getFunctionType(types(part.inputs),
                              types(llvm::make_first_range(ports))));
  created->setAttr("tg.role", builder.getStringAttr(writes ? "train" : "test"));
  created->setAttr(kDeviceAttr, builder.getStringAttr(devices[place.device]));
  Block *block = created.addEntryBlock();
  IRMapping mapping;
  for (auto [index, input] : llvm::enumerate(part.inputs)) {
    mapping.map(input, block->getArgument(index));
    created.setArgAttr(index, "tg.name", builder.getStringAttr(nameOf(input)));
  }
  builder.setInsertionPointToEnd(block);
  for (Operation *op : part.ops) {
    forEachOperand(
        op, [&](Value value) { cloneReplicated(value, builder, mapping); });
    builder.clone(*op, mapping);
  }
  SmallVector<Value> results;
  for (auto [index, port] : llvm::enumerate(ports)) {
    results.push_back(cloneReplicated(port.first, builder, mapping));
    created.setResultAttr(index, "tg.name", builder.getStringAttr(port.second));
  }
  nameExtents(created, part, ports);
  func::ReturnOp::create(builder, function.getLoc(), results);
  return {created, place.device, place.stage};
}

SmallVector<DevicePart> Partition::run() {
  collect();
  if (parts.size() <= 1 && (parts.empty() || parts.begin()->first.device == 0))
    return {{function, 0, 0}};
  for (ArrayAttr all :
       {function.getAllArgAttrs(), function.getAllResultAttrs()})
    for (Attribute port : all ? all.getValue() : ArrayRef<Attribute>())
      if (auto name = cast<DictionaryAttr>(port).getAs<StringAttr>("tg.name"))
        taken.insert(name.getValue());
  symbols.emplace(function.getOperation());
  SmallVector<DevicePart> created;
  for (auto &[place, part] : parts)
    created.push_back(build(place, part));
  function.erase();
  return created;
}

SmallVector<DevicePart> tg::partitionDevices(func::FuncOp function,
                                             ArrayRef<std::string> devices) {
  return Partition(function, devices).run();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class PartitionDevices
    : public tg::impl::PartitionDevicesBase<PartitionDevices> {
public:
  using PartitionDevicesBase::PartitionDevicesBase;

  void runOnOperation() override {
    SmallVector<std::string> names;
    for (StringRef name : llvm::split(devices, ','))
      names.push_back(name.str());
    for (func::FuncOp function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (failed(placeOnDevices(function, names, soft)))
        return signalPassFailure();
      partitionDevices(function, names);
    }
  }
};
} // namespace
