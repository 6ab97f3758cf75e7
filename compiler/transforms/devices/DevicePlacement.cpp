//===- DevicePlacement.cpp - the devices and stages of ops ----------------===//
#include "compiler/transforms/devices/DevicePlacement.h"
#include "dialects/tg/Device.h"
#include "dialects/tg/ops/control/StateOps.h"
#include "dialects/tg/ops/control/VariableAccess.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tg;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

/// Returns the device of an op, "" if it has none.
static StringRef deviceOf(Operation *op) {
  auto device = op->getAttrOfType<StringAttr>(kDeviceAttr);
  return device ? device.getValue() : StringRef();
}

LogicalResult tg::placeOnDevices(func::FuncOp function,
                                 ArrayRef<std::string> devices, bool isSoft) {
  Operation *misplaced = nullptr;
  std::string requested;
  function.walk([&](Operation *op) {
    if (!op->hasAttr(kDeviceAttr) ||
        llvm::is_contained(devices, deviceOf(op).str()))
      return;
    if (!isSoft && !misplaced) {
      misplaced = op;
      requested = deviceOf(op);
    }
    op->removeAttr(kDeviceAttr);
  });
  if (!misplaced)
    return success();
  std::string available;
  for (const std::string &device : devices)
    available += (available.empty() ? "" : ", ") + device;
  return emitError(misplaced->getLoc())
         << "expected a device of the session (" << available << "), found '"
         << requested << "'; SessionOptions::"
         << (StringRef(requested).starts_with("gpu") ? "gpus" : "devices")
         << " adds devices, softPlacement runs the op on " << devices.front();
}

//===----------------------------------------------------------------------===//
// Classification of ops
//===----------------------------------------------------------------------===//

void tg::forEachOperand(Operation *op, function_ref<void(Value)> visit) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getParentRegion() == op->getParentRegion())
        visit(operand);
  });
}

static bool isI64Scalar(Operation *op) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : nullptr;
  return type && type.getRank() == 0 && type.getElementType().isInteger(64);
}

/// Returns true if the host executes the op or a part of it, on the thread of
/// the run.
static bool callsHost(Operation *op) {
  return op->walk([](HostOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

void DevicePlacement::classify() {
  // Reads are ordinary values unless a variable is assigned before them.
  bool hasWritten = false;
  for (Operation &op : body) {
    bool isInside = op.getNumRegions() != 0 && !isa<UpdateOp>(op);
    hasReadAfterWrite |=
        (hasWritten && isa<ReadOp>(op)) || (isInside && hasAssignment(&op));
    hasWritten |= hasAssignment(&op);
  }
  for (Operation &op : body.without_terminator()) {
    bool isRead = isa<ReadOp>(op) && !hasReadAfterWrite;
    bool isFree = isMemoryEffectFree(&op) && !callsHost(&op);
    if ((isRead && haveOneMemory()) ||
        (isFree && op.getNumRegions() == 0 &&
         (op.hasTrait<mlir::OpTrait::ConstantLike>() || isI64Scalar(&op))))
      replicated.insert(&op);
    else if (!isFree && !isRead)
      effects.insert(&op);
  }
}

/// Returns true if all devices compute in the memory of the host, in which the
/// variables then lie.
bool DevicePlacement::haveOneMemory() const {
  return llvm::all_of(
      devices, [](StringRef device) { return device.starts_with("cpu:"); });
}

unsigned DevicePlacement::deviceIndexOf(Operation *op) const {
  if (effects.contains(op) || isa<ReadOp>(op) || deviceOf(op).empty())
    return 0;
  return llvm::find(devices, deviceOf(op)) - devices.begin();
}

const SmallVector<Operation *> &DevicePlacement::sourcesOf(Operation *op) {
  auto [entry, isNew] = sources.try_emplace(op);
  if (!isNew)
    return entry->second;
  llvm::SetVector<Operation *> found;
  forEachOperand(op, [&](Value value) {
    Operation *source = value.getDefiningOp();
    if (source && isReplicated(source))
      found.insert_range(sourcesOf(source));
    else if (source)
      found.insert(source);
  });
  return sources[op] = found.takeVector();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void DevicePlacement::findStages() {
  unsigned lastEffect = 0;
  for (Operation &op : body.without_terminator()) {
    if (isReplicated(&op))
      continue;
    DevicePlace place{0, deviceIndexOf(&op)};
    for (Operation *source : sourcesOf(&op)) {
      DevicePlace from = places.lookup(source);
      place.stage =
          std::max(place.stage, from.stage + (from.device != place.device));
    }
    if (effects.contains(&op))
      place.stage = lastEffect = std::max(place.stage, lastEffect);
    places[&op] = place;
  }
}

/// Moves the ops of a part that no other device needs to the next stage, if
/// another device needs other ops of the part.
void DevicePlacement::delayUnneeded(unsigned stage, unsigned device) {
  auto isInPart = [&](Operation *op) {
    return places.lookup(op) == DevicePlace{stage, device};
  };
  llvm::SetVector<Operation *> needed;
  for (auto [op, place] : places)
    if (place.device != device)
      for (Operation *source : sourcesOf(op))
        if (isInPart(source))
          needed.insert(source);
  if (needed.empty())
    return;
  // Ops with effects keep their order.
  for (Operation *op : effects)
    if (isInPart(op))
      needed.insert(op);
  for (size_t i = 0; i < needed.size(); ++i)
    for (Operation *source : sourcesOf(needed[i]))
      if (isInPart(source))
        needed.insert(source);
  for (auto &[op, place] : places)
    if (isInPart(op) && !needed.contains(op))
      ++place.stage;
}

/// Places the ops that write variables after all reads by other parts. A part
/// that fails before the first assignment leaves all variables unchanged.
void DevicePlacement::placeWriters() {
  unsigned last = 0;
  for (auto [op, place] : places)
    last = std::max(last, place.stage + (place.device != 0));
  bool hasWritten = false;
  for (Operation *op : effects) {
    hasWritten |= assignsVariables(op);
    if (hasWritten && op->getNumResults() == 0)
      places[op].stage = last;
  }
}

DevicePlacement::DevicePlacement(Block &body, ArrayRef<std::string> devices)
    : body(body), devices(devices) {
  classify();
  findStages();
  unsigned last = 0;
  for (auto [op, place] : places)
    last = std::max(last, place.stage);
  for (unsigned stage = 0; stage < last; ++stage)
    for (unsigned device = 0; device < devices.size(); ++device)
      delayUnneeded(stage, device);
  if (!hasReadAfterWrite)
    placeWriters();
}
