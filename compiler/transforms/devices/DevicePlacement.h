//===- DevicePlacement.h - the devices and stages of ops ------------------===//
#ifndef TG_COMPILER_TRANSFORMS_DEVICES_DEVICEPLACEMENT_H
#define TG_COMPILER_TRANSFORMS_DEVICES_DEVICEPLACEMENT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <string>

namespace tg {

/// Checks that each op of a function is placed on one of `devices` or has no
/// device. An op on another device moves to the first device if placement is
/// soft; otherwise it is an error.
llvm::LogicalResult placeOnDevices(mlir::func::FuncOp function,
                                   llvm::ArrayRef<std::string> devices,
                                   bool isSoft);

/// Visits the operands of an op, and of the ops inside it, that are defined
/// outside of the op.
void forEachOperand(mlir::Operation *op,
                    llvm::function_ref<void(mlir::Value)> visit);

/// The stage and the device of an op. The ops with one stage and device form a
/// part, which becomes a function. Parts of one stage do not depend on each
/// other.
struct DevicePlace {
  unsigned stage = 0, device = 0;
  auto operator<=>(const DevicePlace &) const = default;
};

/// The stage and the device of each op of a flat block. The devices and the
/// block must outlive this object.
///
/// 1. An op's stage is the largest number of device changes on a path of
///    operands that leads to it.
/// 2. If a part computes a value that another device reads, the ops of the part
///    that this value does not depend on move to the next stage. Both devices
///    then compute at the same time.
/// 3. Ops that assign variables come last.
class DevicePlacement {
public:
  DevicePlacement(mlir::Block &body, llvm::ArrayRef<std::string> devices);

  /// Returns true if the op is copied into every part that uses it. This holds
  /// for constants, extents, numbers computed from extents, and reads of
  /// variables before any assignment. Reads are not copied if a device has a
  /// memory of its own: then they run on the first device.
  bool isReplicated(mlir::Operation *op) const {
    return replicated.contains(op);
  }

  /// Returns the ops of parts that define the operands of an op.
  const llvm::SmallVector<mlir::Operation *> &sourcesOf(mlir::Operation *op);

  /// Returns the stage and the device of an op that is not replicated.
  DevicePlace placeOf(mlir::Operation *op) const { return places.lookup(op); }

  /// Returns the ops that are not replicated, in the order of the block.
  const llvm::MapVector<mlir::Operation *, DevicePlace> &getPlaces() const {
    return places;
  }

private:
  void classify();
  unsigned deviceIndexOf(mlir::Operation *op) const;
  bool haveOneMemory() const;
  void findStages();
  void delayUnneeded(unsigned stage, unsigned device);
  void placeWriters();

  mlir::Block &body;
  llvm::ArrayRef<std::string> devices;
  llvm::DenseSet<mlir::Operation *> replicated;
  /// The ops with effects, in order.
  llvm::SetVector<mlir::Operation *> effects;
  /// True if a variable is read after an assignment.
  bool hasReadAfterWrite = false;
  llvm::MapVector<mlir::Operation *, DevicePlace> places;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *>>
      sources;
};

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_DEVICES_DEVICEPLACEMENT_H
