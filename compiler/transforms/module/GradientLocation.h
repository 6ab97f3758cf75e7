//===- GradientLocation.h - which ops are part of a gradient --------------===//
#ifndef TG_COMPILER_TRANSFORMS_MODULE_GRADIENTLOCATION_H
#define TG_COMPILER_TRANSFORMS_MODULE_GRADIENTLOCATION_H

#include "mlir/IR/Location.h"

namespace tg {

/// The location of what a gradient does for an op: fused<"grad">["Linear_1"].
/// Files, lines and layers are found in it as in the op's own. That of a
/// gradient of a gradient is the same: what is printed is read so, too.
inline mlir::Location gradientLocation(mlir::Location loc) {
  mlir::MLIRContext *context = loc.getContext();
  return mlir::FusedLoc::get(loc, mlir::StringAttr::get(context, "grad"),
                             context);
}

/// Whether the op at the location is part of a gradient.
inline bool isGradientLocation(mlir::Location loc) {
  auto fused = mlir::dyn_cast<mlir::FusedLoc>(loc);
  auto mark =
      fused ? mlir::dyn_cast_or_null<mlir::StringAttr>(fused.getMetadata())
            : mlir::StringAttr();
  return mark && mark.getValue() == "grad";
}

/// The location of the op that a gradient is of; that of another op itself.
inline mlir::Location differentiatedLocation(mlir::Location loc) {
  while (isGradientLocation(loc))
    loc = mlir::cast<mlir::FusedLoc>(loc).getLocations().front();
  return loc;
}

} // namespace tg

#endif // TG_COMPILER_TRANSFORMS_MODULE_GRADIENTLOCATION_H
