//===- DeviceTables.cpp - the tables of one device ------------------------===//
#include "compiler/codegen/kernel/ArgumentBlock.h"
#include "compiler/library/plan/FunctionProgram.h"
#include "compiler/library/tables/TableBuilder.h"
#include "compiler/library/tables/TargetTables.h"

using namespace mlir;
using namespace tg;
using llvm::Constant;

/// The index of the image with the kernels of a plan. One for each kernel of a
/// user follows.
static constexpr uint32_t kImage = 0;

/// The parameter of DeviceImage::copy with the number of bytes.
static constexpr unsigned kCopiedBytes = 2;

/// Emits an image with kernels of these names.
static Constant *emitImage(StringRef code, ArrayRef<Constant *> names,
                           TableBuilder &table) {
  return table.record<tg_image_t>(
      {table.word(sizeof(tg_image_t)), table.word(names.size()),
       table.list(names), table.string(code), table.wide(code.size())});
}

/// Emits the array of the images of a device: one with all kernels of the plan,
/// and one for each kernel of a user.
static void emitImages(const DeviceImage &image, ArrayRef<CustomImage> customs,
                       int level, TableBuilder &table) {
  SmallVector<Constant *> names;
  for (const KernelLaunch &launch : image.launches)
    names.push_back(table.string(launch.entry));
  names.push_back(table.string(image.copy.entry));
  for (const KernelLaunch &launch : image.launches)
    if (launch.excess)
      names.push_back(table.string(launch.wideEntry));
  SmallVector<Constant *> images = {emitImage(image.code, names, table)};
  for (const CustomImage &custom : customs)
    images.push_back(emitImage(custom.code, table.string(custom.entry), table));
  table.array(images, imagesName(level));
}

/// Returns the launch of kernel `index` of an image, whose wide version has
/// index `wide`. The symbols of the kernel begin at slot `firstSymbol`.
static tg_embedded_launch_t describeLaunch(const KernelLaunch &launch,
                                           uint32_t index, uint32_t wide,
                                           uint32_t firstSymbol,
                                           ExpressionTable &expressions) {
  return {kImage,
          index,
          launch.parameterCount,
          launch.blockThreads,
          expressions.add(launch.threads.getResult(0)),
          firstSymbol,
          launch.excess ? wide : index,
          launch.excess ? expressions.add(launch.excess.getResult(0)) : 0};
}

EmittedKernels tg::findDeviceScratch(const ModelPlan &plan,
                                     const DeviceImage &image) {
  EmittedKernels kernels;
  // All threads of a launch share its memory, as tiles share partials.
  for (auto [entry, launch] : llvm::zip_equal(plan.kernels, image.launches))
    kernels[entry.first].partialsBytes = launch.scratchBytes;
  return kernels;
}

/// Emits the data of each function, with the scratch memory of its launches.
static LogicalResult emitFunctionTables(const ModelPlan &plan,
                                        const DeviceImage &image, int level,
                                        Constant *device, TableBuilder &table) {
  const EmittedKernels kernels = findDeviceScratch(plan, image);
  for (auto [index, function] : llvm::enumerate(plan.functions)) {
    ExpressionTable sizes;
    std::vector<tg_embedded_scratch_t> scratch =
        findScratch(plan, function.op, kernels, sizes);
    if (failed(checkDepth(sizes, function)))
      return failure();
    table.record<tg_embedded_target_t>(
        {table.null(), table.data(sizes.getWords()), table.data(scratch),
         table.word(scratch.size()), table.word(0), device},
        functionTargetName(level, index));
  }
  return success();
}

LogicalResult tg::emitDeviceTables(const ModelPlan &plan,
                                   const DeviceImage &image,
                                   ArrayRef<CustomImage> customs, int level,
                                   llvm::Module &module) {
  TableBuilder table(module);
  emitImages(image, customs, level, table);
  ExpressionTable expressions;
  std::vector<tg_embedded_launch_t> launches;
  const uint32_t copyIndex = image.launches.size();
  uint32_t wideIndex = copyIndex + 1;
  for (auto [entry, launch] : llvm::zip_equal(plan.kernels, image.launches)) {
    auto kernel = llvm::cast<tgx::KernelOp>(entry.first);
    launches.push_back(describeLaunch(launch, launches.size(), wideIndex,
                                      ArgumentBlock(kernel).symbol(0),
                                      expressions));
    wideIndex += bool(launch.excess);
  }
  tg_embedded_launch_t copy = describeLaunch(image.copy, copyIndex, copyIndex,
                                             kCopiedBytes, expressions);
  if (!plan.functions.empty() &&
      failed(checkDepth(expressions, plan.functions.front())))
    return failure();
  Constant *device = table.record<tg_embedded_device_t>(
      {table.data(launches), table.data(expressions.getWords()),
       table.structOf<tg_embedded_launch_t>(
           {table.word(copy.image), table.word(copy.kernel),
            table.word(copy.parameter_count), table.word(copy.block_threads),
            table.word(copy.threads), table.word(copy.first_symbol),
            table.word(copy.wide_kernel), table.word(copy.excess)})});
  return emitFunctionTables(plan, image, level, device, table);
}
