//===- ImageCode.cpp - the kernels of a device as an image ----------------===//
#include "compiler/library/code/ImageCode.h"
#include "compiler/library/code/BuildIdentity.h"
#include "compiler/library/code/MapText.h"
#include "compiler/library/code/TargetCode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace tg;
namespace json = llvm::json;

/// Returns the key of an image.
static std::string keyOfImage(const ModelPlan &plan,
                              ArrayRef<tgx::KernelOp> kernels,
                              const Target &target) {
  std::string text = buildIdentity();
  llvm::raw_string_ostream stream(text);
  // Emitters read properties of the plan, such as the precision of products.
  ModuleOp module = plan.module;
  stream << '\n' << module->getAttrDictionary() << '\n';
  for (tgx::KernelOp kernel : kernels) {
    kernel->print(stream, OpPrintingFlags()
                              .enableDebugInfo(false)
                              .useLocalScope()
                              .printGenericOpForm());
    stream << '\n';
  }
  std::string hash =
      llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                  /*LowerCase=*/true);
  return keyOfKernel(hash, target);
}

//===----------------------------------------------------------------------===//
// Serialization for the cache
//===----------------------------------------------------------------------===//

static json::Array describe(const KernelLaunch &launch) {
  return json::Array{launch.entry,
                     int64_t(launch.parameterCount),
                     int64_t(launch.blockThreads),
                     textOf(launch.threads),
                     launch.wideEntry,
                     textOf(launch.excess),
                     textOf(launch.scratchBytes)};
}

/// Reads the values that `describe` wrote for a launch over a number of
/// symbols. Returns none for any other values.
static std::optional<KernelLaunch>
parseLaunch(const json::Value &value, unsigned symbols, MLIRContext *context) {
  const json::Array *fields = value.getAsArray();
  if (!fields || fields->size() != 7)
    return std::nullopt;
  std::optional<StringRef> texts[] = {
      (*fields)[0].getAsString(), (*fields)[3].getAsString(),
      (*fields)[4].getAsString(), (*fields)[5].getAsString(),
      (*fields)[6].getAsString()};
  std::optional<int64_t> parameters = (*fields)[1].getAsInteger();
  std::optional<int64_t> blockThreads = (*fields)[2].getAsInteger();
  if (!llvm::all_of(texts, [](auto &text) { return bool(text); }) ||
      !parameters || !blockThreads)
    return std::nullopt;
  std::optional<AffineMap> threads = parseMap(*texts[1], symbols, context);
  std::optional<AffineMap> excess = parseMap(*texts[3], symbols, context);
  std::optional<AffineMap> scratch = parseMap(*texts[4], symbols, context);
  if (!threads || !*threads || !excess || !scratch)
    return std::nullopt;
  return KernelLaunch{
      texts[0]->str(), unsigned(*parameters), unsigned(*blockThreads),
      *threads,        texts[2]->str(),       *excess,
      *scratch};
}

/// Writes the launches as one line, and the code.
static std::string serialize(const DeviceImage &image) {
  json::Array launches{describe(image.copy)};
  for (const KernelLaunch &launch : image.launches)
    launches.push_back(describe(launch));
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(launches)) << '\n'
                                 << image.code;
  return text;
}

/// Reads the bytes that `serialize` wrote for an image of kernels. Returns none
/// for other bytes.
static std::optional<DeviceImage> deserialize(StringRef bytes,
                                              ArrayRef<tgx::KernelOp> kernels,
                                              MLIRContext *context) {
  auto [line, code] = bytes.split('\n');
  llvm::Expected<json::Value> parsed = json::parse(line);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const json::Array *launches = parsed->getAsArray();
  if (!launches || launches->size() != kernels.size() + 1 || code.empty())
    return std::nullopt;
  DeviceImage image;
  image.code = code.str();
  for (auto [index, value] : llvm::enumerate(*launches)) {
    // The copy is over the number of bytes.
    unsigned symbols =
        index ? tgx::KernelOp(kernels[index - 1]).getSymbolCount() : 1;
    std::optional<KernelLaunch> launch = parseLaunch(value, symbols, context);
    if (!launch)
      return std::nullopt;
    if (index)
      image.launches.push_back(std::move(*launch));
    else
      image.copy = std::move(*launch);
  }
  return image;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

LogicalResult tg::makeImageCode(const ModelPlan &plan, const Target &target,
                                const KernelCache &cache, ImageCode &code,
                                CacheErrors &cacheErrors) {
  SmallVector<tgx::KernelOp> kernels = kernelsOf(plan);
  std::string key = keyOfImage(plan, kernels, target);
  ModuleOp module = plan.module;
  if (std::optional<std::string> cached =
          cache.find(key, &cacheErrors.rejection))
    if (std::optional<DeviceImage> found =
            deserialize(*cached, kernels, module.getContext())) {
      code = {std::move(*found), /*wasFound=*/true};
      return success();
    }
  FailureOr<DeviceImage> image =
      plan.backend->getDeviceCode()->compile(module, kernels, target);
  if (failed(image))
    return failure();
  code.image = std::move(*image);
  if (cache)
    cacheErrors.storeError = cache.store(key, serialize(code.image));
  return success();
}
