//===- PartitionDevices.h - division of functions by devices --------------===//
#ifndef TG_COMPILER_TRANSFORMS_DEVICES_PARTITIONDEVICES_H
#define TG_COMPILER_TRANSFORMS_DEVICES_PARTITIONDEVICES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace tg {

/// A function that is part of another one. Parts of one stage do not depend on
/// each other; a part depends on earlier stages only.
struct DevicePart {
  mlir::func::FuncOp function;
  unsigned device, stage;
};

/// Splits a function with one flat block into one function for each stage and
/// device. Running these parts stage by stage is equivalent to running the
/// function. Ops without a device run on the first device, and so do all ops
/// with effects, in their order. A value that one part passes to another has
/// the same name as result and argument. Inputs and results of the function
/// keep their names and the names of their extents. The parts replace the
/// function in its module, unless all ops are on one device.
llvm::SmallVector<DevicePart>
partitionDevices(mlir::func::FuncOp function,
                 llvm::ArrayRef<std::string> devices);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_DEVICES_PARTITIONDEVICES_H
