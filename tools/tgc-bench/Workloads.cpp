//===- Workloads.cpp - the table of workloads -----------------------------===//
#include "Workloads.h"
#include "llvm/ADT/SmallVector.h"

using namespace tg;
using namespace tg::bench;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Workload network(std::string name, std::vector<int64_t> widths,
                        std::vector<int64_t> infer,
                        std::vector<int64_t> train) {
  Workload result;
  result.name = std::move(name);
  result.sizes = std::move(widths);
  for (size_t i = 0; i + 1 < result.sizes.size(); ++i)
    result.mflop += 2e-6 * result.sizes[i] * result.sizes[i + 1];
  result.infer = std::move(infer);
  result.train = std::move(train);
  result.classes = result.sizes.back();
  return result;
}

/// Returns the workload, trained with momentum instead of Adam.
static Workload withMomentum(Workload workload) {
  workload.momentum = true;
  return workload;
}

static Workload product(int64_t m, int64_t n, int64_t k) {
  std::string name = "gemm_" + std::to_string(m) + "x" + std::to_string(n) +
                     "x" + std::to_string(k);
  Workload result = network(std::move(name), {k, n}, {1}, {});
  result.lastRelu = true;
  result.rows = m;
  result.mflop *= m;
  return result;
}

/// Returns batched products of two inputs.
static Workload products(int64_t matrices, int64_t m, int64_t n, int64_t k) {
  Workload result;
  result.name = "batched_gemm_" + std::to_string(matrices) + "x" +
                std::to_string(m) + "x" + std::to_string(n) + "x" +
                std::to_string(k);
  result.kind = Kind::products;
  result.sizes = {matrices, m, n, k};
  result.rows = matrices;
  result.mflop = 2e-6 * matrices * m * n * k;
  result.infer = {1};
  return result;
}

/// Returns a memory-bound workload that accesses all elements `passes` times.
static Workload micro(std::string name, Kind kind, std::vector<int64_t> sizes,
                      int64_t passes, Limit limit) {
  Workload result;
  result.name = std::move(name);
  result.kind = kind;
  result.sizes = std::move(sizes);
  result.rows = result.sizes[0];
  result.gbyte = 4e-9 * passes;
  for (int64_t size : result.sizes)
    result.gbyte *= size;
  result.limit = limit;
  (kind == Kind::adam ? result.train : result.infer) = {1};
  return result;
}

/// Returns a workload that looks up and trains rows of a table, one per item.
/// Each of these rows is read twice and written once; other rows are not
/// accessed.
static Workload embedding(int64_t categories, int64_t units,
                          std::vector<int64_t> train) {
  Workload result = micro("embedding_" + std::to_string(categories) + "x" +
                              std::to_string(units),
                          Kind::embedding, {categories, units}, 3, Limit::copy);
  result.rows = 0;
  result.gbyte /= categories;
  result.classes = categories;
  result.infer = {};
  result.train = std::move(train);
  return result;
}

/// Returns a workload that picks half of the elements of a vector and writes
/// `bytesOfPicked` bytes for each picked element.
static Workload picked(std::string name, Kind kind, int64_t elements,
                       int64_t bytesOfPicked) {
  Workload result =
      micro(std::move(name), kind, {elements}, /*passes=*/1, Limit::copy);
  result.gbyte += 0.5e-9 * double(elements * bytesOfPicked);
  return result;
}

/// Returns a network of layers for inputs of these extents.
static Workload layerNetwork(std::string name, std::vector<int64_t> extents,
                             double mflop, std::vector<int64_t> infer,
                             std::vector<int64_t> train) {
  Workload result;
  result.name = std::move(name);
  result.kind = Kind::network;
  result.sizes = std::move(extents);
  result.mflop = mflop;
  result.infer = std::move(infer);
  result.train = std::move(train);
  return result;
}

/// Returns the workload with labels of this many classes.
static Workload withClasses(Workload workload, int64_t classes) {
  workload.classes = classes;
  return workload;
}

/// Returns a network for square images of three channels, trained with
/// momentum.
static Workload classifier(std::string name, int64_t extent, int64_t classes,
                           double mflop, std::vector<int64_t> infer,
                           std::vector<int64_t> train) {
  return withMomentum(
      withClasses(layerNetwork(std::move(name), {extent, extent, 3}, mflop,
                               std::move(infer), std::move(train)),
                  classes));
}

/// Returns relu(convolution + bias) of one square image. A depthwise
/// convolution is bounded by memory, because it has few products for each
/// element that is read or written.
static Workload convolution(int64_t extent, int64_t channels, int64_t filters,
                            int64_t size, int64_t stride = 1,
                            int64_t groups = 1) {
  auto text = [](int64_t number) { return std::to_string(number); };
  std::string name = "conv" + text(size) + "x" + text(size) +
                     (groups == 1          ? "_"
                      : groups == channels ? "dw_"
                                           : "g" + text(groups) + "_") +
                     text(extent) + "x" + text(extent) + "x" + text(channels) +
                     "_" + text(filters);
  if (stride > 1)
    name += "_s" + text(stride);
  int64_t positions = (extent / stride) * (extent / stride);
  double mflop =
      2e-6 * double(positions * filters * (channels / groups) * size * size);
  Workload result =
      layerNetwork(std::move(name),
                   {extent, extent, channels, filters, size, stride, groups},
                   mflop, {1}, {});
  result.rows = 1;
  if (groups == channels) {
    result.limit = Limit::copy;
    result.gbyte =
        4e-9 * double(extent * extent * channels + positions * filters);
  }
  return result;
}

/// Returns a gradient of a convolution, for eight images as in training.
static Workload gradient(Kind kind, Workload workload) {
  constexpr int64_t images = 8;
  workload.kind = kind;
  workload.name += kind == Kind::inputGradient ? "_input_grad" : "_filter_grad";
  workload.rows = images;
  workload.mflop *= images;
  workload.gbyte *= images;
  return workload;
}

/// Adds convolutions and their gradients.
static void addConvolutions(std::vector<Workload> &workloads) {
  const Workload convolutions[] = {
      convolution(56, 64, 64, 3),
      convolution(28, 128, 128, 3),
      convolution(14, 256, 256, 3),
      convolution(7, 512, 512, 3),
      convolution(56, 64, 256, 1),
      convolution(224, 3, 64, 7, /*stride=*/2),
      convolution(112, 32, 32, 3, /*stride=*/1, /*groups=*/32),
      convolution(112, 96, 96, 3, /*stride=*/2, /*groups=*/96),
      convolution(28, 192, 192, 5, /*stride=*/1, /*groups=*/192),
      convolution(14, 576, 576, 3, /*stride=*/1, /*groups=*/576),
      convolution(56, 128, 128, 3, /*stride=*/1, /*groups=*/32),
      convolution(128, 32, 1, 3),
      convolution(128, 3, 3, 3)};
  llvm::append_range(workloads, convolutions);
  for (Kind kind : {Kind::inputGradient, Kind::filterGradient})
    for (const Workload &workload : convolutions)
      workloads.push_back(gradient(kind, workload));
}

static std::vector<Workload> makeWorkloads() {
  std::vector<Workload> workloads = {
      network("mlp", {784, 512, 512, 10}, {1, 64}, {64}),
      withMomentum(
          network("mlp_wide", std::vector<int64_t>(6, 1024), {1, 128}, {128})),
      micro("ew_gelu", Kind::gelu, {4096, 4096}, 3, Limit::copy),
      micro("softmax", Kind::softmax, {4096, 4096}, 2, Limit::copy),
      micro("layernorm", Kind::layerNorm, {4096, 1024}, 2, Limit::copy),
      micro("column_sums", Kind::columnSums, {65536, 256}, 1, Limit::read),
      micro("adam25m", Kind::adam, {25'000'000}, 7, Limit::update),
      embedding(1'000'000, 64, {64, 4096}),
      micro("pad_columns", Kind::pad, {4096, 4093}, 2, Limit::copy),
      micro("update_slice", Kind::updateSlice, {4096, 4096}, 2, Limit::copy),
      micro("transpose", Kind::transpose, {64, 512, 512}, 2, Limit::copy),
      micro("cumsum_rows", Kind::rowCumsum, {4096, 4096}, 2, Limit::copy),
      micro("cumsum_columns", Kind::columnCumsum, {4096, 4096}, 2, Limit::copy),
      micro("top_k", Kind::topK, {4096, 4096}, 1, Limit::read),
      picked("nonzero", Kind::nonzero, 1 << 24, /*bytesOfPicked=*/8),
      picked("boolean_mask", Kind::booleanMask, 1 << 24, /*bytesOfPicked=*/4),
      product(256, 256, 256),
      product(512, 512, 512),
      product(1024, 1024, 1024),
      product(2048, 2048, 2048),
      product(64, 4096, 1024),
      product(1, 4096, 4096),
      products(64, 128, 128, 128),
      products(64, 16, 16, 16)};
  addConvolutions(workloads);
  const Workload networks[] = {
      classifier("allcnn", 32, 10, 562.348032, {1, 32}, {32}),
      classifier("vgg16_bn", 224, 1000, 30694.285312, {1}, {}),
      classifier("vgg16_bn_32", 32, 1000, 627.417088, {}, {32}),
      classifier("resnet50", 224, 1000, 8178.368512, {1, 8}, {8}),
      classifier("densenet121", 224, 1000, 5668.323328, {1}, {4}),
      classifier("mobilenet_v2", 224, 1000, 601.548544, {1}, {8}),
      layerNetwork("unet", {128, 128, 3}, 6035.603456, {1}, {4}),
      withClasses(
          layerNetwork("transformer", {128, 512}, 5034.1888, {1, 8}, {8}),
          1000),
      layerNetwork("lstm", {35}, 615.30112, {1, 32}, {32})};
  llvm::append_range(workloads, networks);
  workloads.back().classes = 10000;
  return workloads;
}

const std::vector<Workload> &tg::bench::getWorkloads() {
  static const std::vector<Workload> workloads = makeWorkloads();
  return workloads;
}

double Row::gflop() const {
  return workload->mflop * batch * (train ? 3 : 1) / 1000;
}

int64_t Row::inputRows() const {
  return workload->rows ? workload->rows : batch;
}

int64_t Row::comparedRows() const {
  switch (workload->kind) {
  case Kind::columnSums:
  case Kind::columnCumsum:
  case Kind::nonzero:
  case Kind::booleanMask:
    return inputRows();
  default:
    break;
  }
  int64_t maxRows = workload->kind == Kind::network ? 1 : 64;
  return std::min(inputRows(), maxRows);
}

Limit Row::limit() const {
  bool isVector = workload->kind == Kind::layers && inputRows() == 1;
  return isVector ? Limit::read : workload->limit;
}

double Row::limitGbyte() const {
  if (workload->kind == Kind::embedding)
    return workload->gbyte * batch;
  if (workload->kind != Kind::layers)
    return workload->gbyte;
  return workload->mflop / 1000 / inputRows() * 2; // 4 bytes per 2 FLOPs
}

std::vector<Row> tg::bench::findRows(llvm::StringRef names,
                                     llvm::StringRef mode, int64_t batch) {
  llvm::SmallVector<llvm::StringRef> patterns;
  names.split(patterns, ',');
  auto isSelected = [&](llvm::StringRef name) {
    return llvm::any_of(patterns, [&](llvm::StringRef pattern) {
      return pattern == name || pattern == "all" ||
             (pattern.consume_back("*") && name.starts_with(pattern));
    });
  };
  std::vector<Row> rows;
  for (const Workload &workload : getWorkloads()) {
    if (!isSelected(workload.name))
      continue;
    for (bool train : {false, true})
      for (int64_t size : train ? workload.train : workload.infer)
        if ((mode == "all" || mode == (train ? "train" : "infer")) &&
            (batch == 0 || batch == size))
          rows.push_back({&workload, train, size});
  }
  return rows;
}
