//===- GradientLocation.h - locations of ops of a gradient ----------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_GRADIENTLOCATION_H
#define TG_COMPILER_TRANSFORMS_MODULE_GRADIENTLOCATION_H

#include "mlir/IR/Location.h"

namespace tg {

/// Returns the location of an op of a gradient, for the location of the
/// differentiated op: fused<"grad">["Linear_1"]. Files, lines and layers are
/// found in it as in the op's own location. Nested gradient
/// locations collapse, so a gradient of a gradient has the same location.
inline mlir::Location gradientLocation(mlir::Location loc) {
  mlir::MLIRContext *context = loc.getContext();
  return mlir::FusedLoc::get(loc, mlir::StringAttr::get(context, "grad"),
                             context);
}

/// Returns true if the op at the location is part of a gradient.
inline bool isGradientLocation(mlir::Location loc) {
  auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc);
  auto mark =
      fused ? mlir::dyn_cast_or_null<mlir::StringAttr>(fused.getMetadata())
            : mlir::StringAttr();
  return mark && mark.getValue() == "grad";
}

/// Returns the location of the differentiated op for a gradient location;
/// otherwise `loc` itself.
inline mlir::Location differentiatedLocation(mlir::Location loc) {
  while (isGradientLocation(loc))
    loc = mlir::cast<mlir::FusedLoc>(loc).getLocations().front();
  return loc;
}

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_GRADIENTLOCATION_H
