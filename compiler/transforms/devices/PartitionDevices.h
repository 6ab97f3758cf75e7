//===- PartitionDevices.h - one function as parts on several devices ------===//
#ifndef TG_COMPILER_TRANSFORMS_DEVICES_PARTITIONDEVICES_H
#define TG_COMPILER_TRANSFORMS_DEVICES_PARTITIONDEVICES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace tg {

/// A function that is part of another one. Parts of one stage need nothing of
/// each other; each needs stages before its own.
struct DevicePart {
  mlir::func::FuncOp function;
  unsigned device, stage;
};

/// Divides a function of one flat block by the devices of its ops, so that the
/// parts, run stage by stage, do what it does. What is placed nowhere runs on
/// the first device, and so does all that has effects, in its order. What parts
/// give each other has equal names as result and argument; inputs and results
/// of the function keep theirs, and so do their extents. The function itself is
/// replaced, in its module, unless one device has all of it.
llvm::SmallVector<DevicePart>
partitionDevices(mlir::func::FuncOp function,
                 llvm::ArrayRef<std::string> devices);

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_DEVICES_PARTITIONDEVICES_H
