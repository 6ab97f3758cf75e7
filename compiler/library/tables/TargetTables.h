//===- TargetTables.h - the tables of one target --------------------------===//
#ifndef TG_COMPILER_LIBRARY_TABLES_TARGETTABLES_H
#define TG_COMPILER_LIBRARY_TABLES_TARGETTABLES_H

#include "compiler/codegen/Backend.h"
#include "compiler/library/embedded/FunctionSteps.h"
#include "compiler/library/plan/ExpressionTable.h"
#include "compiler/library/plan/ModelPlan.h"
#include "llvm/IR/Module.h"

namespace tg {

/// The emitted kernels of one ISA level by their tgx.kernel.
using EmittedKernels = llvm::DenseMap<mlir::Operation *, EmittedKernel>;

/// Return the names of the tables of one target, which are hidden symbols of
/// the library: the array of the kernels of an ISA level in the order of the
/// plan (tg_embedded_kernel_t), the array of the images of a device
/// (tg_image_t), and the data of a function for the target
/// (tg_embedded_target_t).
std::string kernelsName(int level);
std::string imagesName(int level);
std::string functionTargetName(int level, unsigned function);

/// Returns the temporary memory of the launches of a function, equal ones once,
/// whose sizes are added to `expressions`.
std::vector<tg_embedded_scratch_t> findScratch(const ModelPlan &plan,
                                               tgx::FunctionOp function,
                                               const EmittedKernels &kernels,
                                               ExpressionTable &expressions);

/// Adds the tables of an ISA level to `module`, which may also define the
/// kernels. Emits a diagnostic and fails if a limit of the tables is exceeded,
/// or if a packing kernel needs scratch memory, which `pack` does not provide.
llvm::LogicalResult emitTargetTables(const ModelPlan &plan,
                                     const EmittedKernels &kernels, int level,
                                     llvm::Module &module);

/// Returns the kernels of the image of a device, with nothing but the scratch
/// memory of their launches.
EmittedKernels findDeviceScratch(const ModelPlan &plan,
                                 const DeviceImage &image);

/// Adds the tables of a device, and the images of its kernels, to `module`.
/// Emits a diagnostic and fails if a limit of the tables is exceeded.
llvm::LogicalResult emitDeviceTables(const ModelPlan &plan,
                                     const DeviceImage &image,
                                     llvm::ArrayRef<CustomImage> customs,
                                     int level, llvm::Module &module);

} // namespace tg

#endif // TG_COMPILER_LIBRARY_TABLES_TARGETTABLES_H
