//===- PartitionDevices.cpp - one function as parts on several devices ----===//
//
// 1. An op's stage is the number of times that what it needs changes devices.
// 2. Where a part makes something for another device, what that does not need
//    waits for the next stage: both then compute at once.
// 3. What assigns variables comes last.
// 4. A part is the ops of one stage and device. Constants, extents, numbers
// made
//    of them, and reads that nothing was assigned before are in every part that
//    needs them.
//
//===----------------------------------------------------------------------===//
#include "compiler/transforms/PartitionDevices.h"
#include "compiler/transforms/FunctionSymbols.h"
#include "compiler/transforms/Passes.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/HostOps.h"
#include "dialects/tg/StateOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace tg {
#define GEN_PASS_DEF_PARTITIONDEVICES
#include "compiler/transforms/Passes.h.inc"
} // namespace tg

using namespace mlir;
using namespace tg;

static StringRef deviceOf(Operation *op) {
  auto device = op->getAttrOfType<StringAttr>(kDeviceAttr);
  return device ? device.getValue() : StringRef(kFirstDevice);
}

LogicalResult tg::placeOnDevices(func::FuncOp function,
                                 ArrayRef<std::string> devices, bool isSoft) {
  Operation *lost = nullptr;
  std::string wish;
  function.walk([&](Operation *op) {
    if (!op->hasAttr(kDeviceAttr) ||
        llvm::is_contained(devices, deviceOf(op).str()))
      return;
    if (!isSoft && !lost) {
      lost = op;
      wish = deviceOf(op);
    }
    op->removeAttr(kDeviceAttr);
  });
  if (!lost)
    return success();
  std::string known;
  for (const std::string &device : devices)
    known += (known.empty() ? "" : ", ") + device;
  return emitError(lost->getLoc())
         << "expected a device of the session (" << known << "), found '"
         << wish
         << "': SessionOptions::devices makes more, softPlacement runs it on "
         << devices.front();
}

namespace {
/// The parts of a function.
class Partition {
public:
  Partition(func::FuncOp function, ArrayRef<std::string> devices)
      : function(function), body(function.getBody().front()), devices(devices) {
  }

  SmallVector<DevicePart> run();

private:
  struct Place {
    unsigned stage = 0, device = 0;
    auto operator<=>(const Place &) const = default;
  };
  struct Part {
    SmallVector<Operation *> ops;
    llvm::SetVector<Value> inputs, results;
  };

  void classify();
  bool isShared(Operation *op) const { return shared.contains(op); }
  unsigned numberOf(Operation *op) const;
  /// The ops, of parts, that give what an op takes.
  const SmallVector<Operation *> &sourcesOf(Operation *op);
  void findStages();
  void delay(unsigned stage, unsigned device);
  void placeWriters();
  void collect();
  void need(Place place, Value value);
  DevicePart build(Place place, Part &part);
  Value cloneShared(Value value, OpBuilder &builder, IRMapping &mapping);
  std::string nameOf(Value value);
  /// What the function calls the extents of a value, "" where it does not.
  SmallVector<StringRef> extentNamesOf(Value value);
  void nameExtents(func::FuncOp made, const Part &part,
                   ArrayRef<std::pair<Value, std::string>> results);
  std::string resultName(unsigned number) {
    return function.getResultAttrOfType<StringAttr>(number, "tg.name").str();
  }

  func::FuncOp function;
  Block &body;
  ArrayRef<std::string> devices;
  /// What every part has for itself, and what has effects, in order.
  llvm::DenseSet<Operation *> shared;
  llvm::SetVector<Operation *> effects;
  /// Whether something is read after an assignment.
  bool isOrdered = false;
  llvm::MapVector<Operation *, Place> places;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> sources;
  std::map<Place, Part> parts;
  /// The results of the function that a value is, and names of others.
  llvm::DenseMap<Value, SmallVector<unsigned, 1>> returned;
  llvm::DenseMap<Value, std::string> names;
  llvm::StringSet<> taken;
  /// The extents of the function.
  std::optional<FunctionSymbols> symbols;
};
} // namespace

//===----------------------------------------------------------------------===//
// What ops are
//===----------------------------------------------------------------------===//

/// The values from outside that an op and those inside it take.
static void forEachOperand(Operation *op, function_ref<void(Value)> visit) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getParentRegion() == op->getParentRegion())
        visit(operand);
  });
}

static bool isNumber(Operation *op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : nullptr;
  return type && type.getRank() == 0 && type.getElementType().isInteger(64);
}

/// Whether an op or one inside it assigns a variable.
static bool isWriter(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<AssignOp, UpdateOp>(inner) ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether an op calls the host, which is on the thread of the run.
static bool callsHost(Operation *op) {
  return op->walk([](HostCallOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

void Partition::classify() {
  // Reads are values like others unless something is assigned before them.
  bool hasWritten = false;
  for (Operation &op : body) {
    bool isInside = op.getNumRegions() != 0 && !isa<UpdateOp>(op);
    isOrdered |= (hasWritten && isa<ReadOp>(op)) || (isInside && isWriter(&op));
    hasWritten |= isWriter(&op);
  }
  for (Operation &op : body.without_terminator()) {
    bool isRead = isa<ReadOp>(op) && !isOrdered;
    bool isFree = isMemoryEffectFree(&op) && !callsHost(&op);
    if (isRead ||
        (isFree && op.getNumRegions() == 0 &&
         (op.hasTrait<mlir::OpTrait::ConstantLike>() || isNumber(&op))))
      shared.insert(&op);
    else if (!isFree)
      effects.insert(&op);
  }
}

unsigned Partition::numberOf(Operation *op) const {
  if (effects.contains(op))
    return 0;
  return llvm::find(devices, deviceOf(op)) - devices.begin();
}

const SmallVector<Operation *> &Partition::sourcesOf(Operation *op) {
  auto [known, isNew] = sources.try_emplace(op);
  if (!isNew)
    return known->second;
  llvm::SetVector<Operation *> found;
  forEachOperand(op, [&](Value value) {
    Operation *source = value.getDefiningOp();
    if (source && isShared(source))
      found.insert_range(sourcesOf(source));
    else if (source)
      found.insert(source);
  });
  return sources[op] = found.takeVector();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void Partition::findStages() {
  unsigned lastEffect = 0;
  for (Operation &op : body.without_terminator()) {
    if (isShared(&op))
      continue;
    Place place{0, numberOf(&op)};
    for (Operation *source : sourcesOf(&op)) {
      Place from = places.lookup(source);
      place.stage =
          std::max(place.stage, from.stage + (from.device != place.device));
    }
    if (effects.contains(&op))
      place.stage = lastEffect = std::max(place.stage, lastEffect);
    places[&op] = place;
  }
}

/// What other devices do not need of a part that they need something of waits.
void Partition::delay(unsigned stage, unsigned device) {
  auto isHere = [&](Operation *op) {
    return places.lookup(op) == Place{stage, device};
  };
  llvm::SetVector<Operation *> kept;
  for (auto [op, place] : places)
    if (place.device != device)
      for (Operation *source : sourcesOf(op))
        if (isHere(source))
          kept.insert(source);
  if (kept.empty())
    return;
  // What has effects stays in its order.
  for (Operation *op : effects)
    if (isHere(op))
      kept.insert(op);
  for (size_t i = 0; i < kept.size(); ++i)
    for (Operation *source : sourcesOf(kept[i]))
      if (isHere(source))
        kept.insert(source);
  for (auto &[op, place] : places)
    if (isHere(op) && !kept.contains(op))
      ++place.stage;
}

/// Nothing is read when the first variable is assigned, so that a part that
/// fails before leaves all as they were.
void Partition::placeWriters() {
  unsigned last = 0;
  for (auto [op, place] : places)
    last = std::max(last, place.stage + (place.device != 0));
  bool hasWritten = false;
  for (Operation *op : effects) {
    hasWritten |= isa<AssignOp, UpdateOp>(op);
    if (hasWritten && op->getNumResults() == 0)
      places[op].stage = last;
  }
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// A part takes a value, through what it has for itself.
void Partition::need(Place place, Value value) {
  Operation *op = value.getDefiningOp();
  if (op && isShared(op))
    return forEachOperand(op, [&](Value operand) { need(place, operand); });
  if (op && places.lookup(op) == place)
    return;
  parts[place].inputs.insert(value);
  if (op)
    parts[places.lookup(op)].results.insert(value);
}

void Partition::collect() {
  for (auto [op, place] : places)
    parts[place].ops.push_back(op);
  for (auto [op, place] : places)
    forEachOperand(op, [&](Value value) { need(place, value); });
  // What a part has for itself, or the caller gave, the last one of the first
  // device returns, or one behind it, where what it needs is made later.
  Place last;
  for (auto &[place, part] : parts)
    if (place.device == 0)
      last = place;
  for (auto [number, value] :
       llvm::enumerate(body.getTerminator()->getOperands())) {
    returned[value].push_back(number);
    Operation *op = value.getDefiningOp();
    bool isOfPart = op && !isShared(op);
    Place place = isOfPart ? places.lookup(op) : last;
    if (op && !isOfPart)
      for (Operation *source : sourcesOf(op)) {
        Place from = places.lookup(source);
        place.stage = std::max(place.stage, from.stage + (from.device != 0));
      }
    parts[place].results.insert(value);
    if (!isOfPart)
      need(place, value);
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
  for (unsigned number = names.size(); name.empty(); ++number) {
    std::string free = "crossing." + std::to_string(number);
    if (taken.insert(free).second)
      name = free;
  }
  return name;
}

Value Partition::cloneShared(Value value, OpBuilder &builder,
                             IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneShared(operand, builder, mapping);
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
    // An extent without a name is called by its input and a number.
    found.push_back(name.contains('.') ? "" : name);
  }
  return found;
}

/// Arguments tell the names that the function knows; results have those of
/// arguments.
void Partition::nameExtents(func::FuncOp made, const Part &part,
                            ArrayRef<std::pair<Value, std::string>> results) {
  Builder builder(made.getContext());
  llvm::StringSet<> known;
  for (auto [number, input] : llvm::enumerate(part.inputs)) {
    SmallVector<StringRef> found = extentNamesOf(input);
    for (StringRef name : found)
      known.insert(name);
    if (llvm::any_of(found, [](StringRef name) { return !name.empty(); }))
      made.setArgAttr(number, "tg.dims", builder.getStrArrayAttr(found));
  }
  for (auto [number, result] : llvm::enumerate(results)) {
    SmallVector<StringRef> found = extentNamesOf(result.first);
    for (StringRef &name : found)
      name = known.contains(name) ? name : "";
    if (llvm::any_of(found, [](StringRef name) { return !name.empty(); }))
      made.setResultAttr(number, "tg.dims", builder.getStrArrayAttr(found));
  }
}

DevicePart Partition::build(Place place, Part &part) {
  OpBuilder builder(function);
  SmallVector<std::pair<Value, std::string>> ports;
  for (Value result : part.results)
    if (ArrayRef<unsigned> numbers = returned[result]; numbers.empty())
      ports.emplace_back(result, nameOf(result));
    else
      for (unsigned number : numbers)
        ports.emplace_back(result, resultName(number));
  auto types = [](auto &&values) {
    return llvm::map_to_vector(values,
                               [](Value value) { return value.getType(); });
  };
  bool writes = llvm::any_of(part.ops, isWriter);
  auto made = func::FuncOp::create(
      builder, function.getLoc(),
      (function.getSymName() + "." + Twine(place.stage) + "." +
       Twine(place.device))
          .str(),
      builder.getFunctionType(types(part.inputs),
                              types(llvm::make_first_range(ports))));
  made->setAttr("tg.role", builder.getStringAttr(writes ? "train" : "test"));
  made->setAttr(kDeviceAttr, builder.getStringAttr(devices[place.device]));
  Block *block = made.addEntryBlock();
  IRMapping mapping;
  for (auto [number, input] : llvm::enumerate(part.inputs)) {
    mapping.map(input, block->getArgument(number));
    made.setArgAttr(number, "tg.name", builder.getStringAttr(nameOf(input)));
  }
  builder.setInsertionPointToEnd(block);
  for (Operation *op : part.ops) {
    forEachOperand(op,
                   [&](Value value) { cloneShared(value, builder, mapping); });
    builder.clone(*op, mapping);
  }
  SmallVector<Value> results;
  for (auto [number, port] : llvm::enumerate(ports)) {
    results.push_back(cloneShared(port.first, builder, mapping));
    made.setResultAttr(number, "tg.name", builder.getStringAttr(port.second));
  }
  nameExtents(made, part, ports);
  func::ReturnOp::create(builder, function.getLoc(), results);
  return {made, place.device, place.stage};
}

SmallVector<DevicePart> Partition::run() {
  classify();
  findStages();
  unsigned last = 0;
  for (auto [op, place] : places)
    last = std::max(last, place.stage);
  for (unsigned stage = 0; stage < last; ++stage)
    for (unsigned device = 0; device < devices.size(); ++device)
      delay(stage, device);
  if (!isOrdered)
    placeWriters();
  collect();
  if (parts.size() <= 1 && (parts.empty() || parts.begin()->first.device == 0))
    return {{function, 0, 0}};
  for (ArrayAttr all :
       {function.getAllArgAttrs(), function.getAllResultAttrs()})
    for (Attribute port : all ? all.getValue() : ArrayRef<Attribute>())
      if (auto name = cast<DictionaryAttr>(port).getAs<StringAttr>("tg.name"))
        taken.insert(name.getValue());
  symbols.emplace(function.getOperation());
  SmallVector<DevicePart> made;
  for (auto &[place, part] : parts)
    made.push_back(build(place, part));
  function.erase();
  return made;
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
