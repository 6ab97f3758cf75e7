//===- Device.h - where an op wishes to run -------------------------------===//
#ifndef TG_DIALECTS_TG_DEVICE_H
#define TG_DIALECTS_TG_DEVICE_H

#include "mlir/IR/Operation.h"

namespace tg {

/// The device that an op is placed on, "gpu:1": a wish, which changes no value.
/// Of a request for gradients it is that of all ops it becomes; without it each
/// of these has the device of the op whose rule built it.
inline constexpr char kDeviceAttr[] = "tg.device";
/// The device of ops without the attribute.
inline constexpr char kFirstDevice[] = "cpu:0";

/// The part of G5 that is about it.
llvm::LogicalResult verifyDevice(mlir::Operation *op, mlir::Attribute value);

} // namespace tg

#endif // TG_DIALECTS_TG_DEVICE_H
