//===- DevicePlacement.h - where and when the ops of a function run -------===//
#ifndef TG_COMPILER_TRANSFORMS_DEVICES_DEVICEPLACEMENT_H
#define TG_COMPILER_TRANSFORMS_DEVICES_DEVICEPLACEMENT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <string>

namespace tg {

/// Checks that the ops of a function are placed on one of these devices, or on
/// none: others run on the first one where placement is soft, else they are an
/// error.
llvm::LogicalResult placeOnDevices(mlir::func::FuncOp function,
                                   llvm::ArrayRef<std::string> devices,
                                   bool isSoft);

/// Visits the values from outside that an op and those inside it take.
void forEachOperand(mlir::Operation *op,
                    llvm::function_ref<void(mlir::Value)> visit);

/// Parts of one stage need nothing of each other.
struct DevicePlace {
  unsigned stage = 0, device = 0;
  auto operator<=>(const DevicePlace &) const = default;
};

/// The stage and the device of each op of a flat block. The devices and the
/// block outlive it.
///
/// 1. An op's stage is the number of times that what it needs changes devices.
/// 2. Where a part makes something for another device, what that does not need
///    waits for the next stage: both then compute at once.
/// 3. What assigns variables comes last.
class DevicePlacement {
public:
  DevicePlacement(mlir::Block &body, llvm::ArrayRef<std::string> devices);

  /// Whether every part that needs the op has it for itself: constants,
  /// extents, numbers made of them, and reads that nothing was assigned before.
  bool isShared(mlir::Operation *op) const { return shared.contains(op); }

  /// The ops, of parts, that give what an op takes.
  const llvm::SmallVector<mlir::Operation *> &sourcesOf(mlir::Operation *op);

  /// Where an op that is not shared runs.
  DevicePlace placeOf(mlir::Operation *op) const { return places.lookup(op); }

  /// The ops that are not shared, in the order of the block.
  const llvm::MapVector<mlir::Operation *, DevicePlace> &getPlaces() const {
    return places;
  }

private:
  void classify();
  unsigned numberOf(mlir::Operation *op) const;
  void findStages();
  void delay(unsigned stage, unsigned device);
  void placeWriters();

  mlir::Block &body;
  llvm::ArrayRef<std::string> devices;
  llvm::DenseSet<mlir::Operation *> shared;
  /// What has effects, in order.
  llvm::SetVector<mlir::Operation *> effects;
  /// Whether something is read after an assignment.
  bool isOrdered = false;
  llvm::MapVector<mlir::Operation *, DevicePlace> places;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>>
      sources;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_DEVICES_DEVICEPLACEMENT_H
