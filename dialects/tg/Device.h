//===- Device.h - the device that an op is placed on ----------------------===//
#ifndef TG_DIALECTS_TG_DEVICE_H
#define TG_DIALECTS_TG_DEVICE_H

#include "mlir/IR/Operation.h"

namespace tg {

/// The device that an op is placed on, such as "gpu:1". The placement is a hint
/// and does not change results. A device on a request for gradients applies to
/// all ops that replace the request. Without one, each of these ops has the
/// device of the op whose rule built it.
inline constexpr char kDeviceAttr[] = "tg.device";
/// The device of ops without the attribute.
inline constexpr char kFirstDevice[] = "cpu:0";

/// Verifies the part of G5 about the device attribute.
llvm::LogicalResult verifyDevice(mlir::Operation *op, mlir::Attribute value);

} // namespace tg

#endif // TG_DIALECTS_TG_DEVICE_H
