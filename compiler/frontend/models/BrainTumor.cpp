//===- BrainTumor.cpp - networks that segment and classify brain tumours --===//
#include "tg/models/BrainTumor.h"
#include "BrainTumorBlocks.h"
#include "tg/tensor/error.h"

using namespace tg;
using namespace tg::models;

struct models::BrainTumorDesign {
  /// The inputs of dense blocks in addition to the result of the previous
  /// block.
  enum ExtraInputs { levels, levelsAndSegments, attendedAndSegments };
  /// The layers between the dense blocks and the head: none, a convolution and
  /// max pooling, or both with the result of the last encoder level
  /// concatenated between them.
  enum Tail { nothing, pooled, joinedWithLastLevel };

  bool normalizesBefore = false, hasRadiomics = false;
  std::vector<SegmentLevel> down;
  /// The channels of the decoder levels, starting with the first level.
  std::vector<int64_t> up;
  /// The channels of the convolution before the logits of positions.
  int64_t segmentFilters;
  /// True if the probability of a tumour is squared.
  bool isSquared = false;
  std::vector<DenseLevel> dense;
  DenseKind kind = {};
  ExtraInputs extraInputs = levelsAndSegments;
  Tail tail = pooled;
  /// The units of the hidden layers of the head.
  std::vector<int64_t> head;
  /// True if the layer of the coarse classes has a weight.
  bool hasCoarseWeight = true;
};

//===-- The network -------------------------------------------------------===//

namespace {
/// A builder of the nodes of a network.
class Network {
public:
  Network(const BrainTumorDesign &made, const BrainTumorOptions &options,
          const Node &inputs)
      : design(made), blocks(options, made.normalizesBefore),
        volumes(HiddenNode({inputs}, Concat({.axis = -1}))) {}

  /// Returns the logits of positions. Must be called first.
  Node segments();
  /// Return the logits of fine classes from the logits of positions, and the
  /// logits of coarse classes from the logits of fine classes.
  Node fineClasses(const Node &logits);
  Node coarseClasses(const Node &fine);

private:
  std::vector<Node> inputsOfLevel(size_t level, const Node &value,
                                  const Node &mask,
                                  const Node &tumourProbability) const;
  Node tail(const Node &value) const;

  const BrainTumorDesign &design;
  BrainTumorBlocks blocks;
  /// The concatenated inputs.
  Node volumes;
  /// The results of the encoder levels, and of the decoder levels from the last
  /// level to the first.
  std::vector<Node> down, up;
};
} // namespace

Node Network::segments() {
  Node value = volumes;
  for (const SegmentLevel &level : design.down) {
    value = HiddenNode({value}, {blocks.down(level)});
    down.push_back(value);
  }
  for (size_t i = down.size(); i-- > 0;) {
    std::vector<Node> joined = {down[i]};
    if (!up.empty())
      joined.insert(joined.begin(), up.back());
    up.push_back(HiddenNode(joined, Concat({.axis = -1}),
                            {blocks.up(design.up[i], design.down[i].strides)}));
  }
  return HiddenNode({up.back()}, {blocks.segments(design.segmentFilters)});
}

std::vector<Node> Network::inputsOfLevel(size_t level, const Node &value,
                                         const Node &mask,
                                         const Node &tumourProbability) const {
  std::vector<Node> inputs = {value};
  bool takesMask = design.extraInputs != BrainTumorDesign::levels;
  if (level == 0 || design.extraInputs == BrainTumorDesign::attendedAndSegments)
    inputs.push_back(HiddenNode({tumourProbability, value}, Multiply()));
  else if (level == down.size())
    inputs.push_back(down.back());
  else
    inputs.push_back(up[up.size() - 1 - level]);
  if (level == 0 || takesMask)
    inputs.push_back(mask);
  return inputs;
}

Node Network::tail(const Node &value) const {
  Layer last = maxPooling({3, 3, 3}, {2, 2, 2});
  switch (design.tail) {
  case BrainTumorDesign::nothing:
    break;
  case BrainTumorDesign::pooled:
    return HiddenNode({value}, {blocks.convolution(256, {3, 3, 3}), last});
  case BrainTumorDesign::joinedWithLastLevel:
    HiddenNode convolved({value}, {blocks.convolution(256, {3, 3, 3})});
    return HiddenNode({convolved, down.back()}, Concat({.axis = -1}), {last});
  }
  return value;
}

Node Network::fineClasses(const Node &logits) {
  bool isSquared = design.isSquared;
  Lambda tumour([isSquared](Tensor shares) {
    Slice all;
    Tensor tumourProbability = 1.0 - shares[{all, all, all, all, Slice(0, 1)}];
    return isSquared ? square(tumourProbability) : tumourProbability;
  });
  Node mask = HiddenNode({logits}, {Softmax()});
  Node tumourProbability = HiddenNode({mask}, {tumour});
  Node value = volumes;
  for (size_t i = 0; i < design.dense.size(); ++i) {
    const DenseLevel &level = design.dense[i];
    if (i > 0) {
      const DenseLevel &previous = design.dense[i - 1];
      mask = HiddenNode({mask},
                        {maxPooling(previous.maskWindow, previous.strides)});
      tumourProbability =
          HiddenNode({tumourProbability},
                     {maxPooling(previous.maskWindow, previous.strides)});
    }
    value =
        HiddenNode(inputsOfLevel(i, value, mask, tumourProbability),
                   Concat({.axis = -1}), {blocks.dense(level, design.kind)});
  }
  return HiddenNode({tail(value)}, {blocks.fineClasses(design.head)});
}

Node Network::coarseClasses(const Node &fine) {
  return HiddenNode({fine}, {blocks.coarseClasses(design.hasCoarseWeight)});
}

/// Returns the rule for the inputs: the divisors of their extents.
static InputRule ruleOf(const BrainTumorDesign &design) {
  InputRule rule{.divisors = {1, 1, 1}};
  for (const SegmentLevel &level : design.down)
    for (size_t i = 0; i < rule.divisors.size(); ++i)
      rule.divisors[i] *= level.strides[i];
  return rule;
}

/// Throws GraphError if the options are inconsistent.
static void check(const BrainTumorOptions &options,
                  std::source_location where) {
  int64_t fine = options.fineClasses, coarse = options.coarseClasses;
  expectPositive(options.segments, "segment", options.name, where);
  expectPositive(coarse, "coarse class", options.name, where);
  expectPositive(fine, "fine class", options.name, where);
  if (!options.classMatrix.isDefined())
    return;
  Shape given = options.classMatrix.shape(where);
  if (given.size() != 2 || given[0].value != fine || given[1].value != coarse)
    throw GraphError(beginning(options.name) +
                         "expected a matrix of classes [" +
                         std::to_string(fine) + ", " + std::to_string(coarse) +
                         "], found " + toString(given),
                     where);
}

BrainTumorNet::BrainTumorNet(const BrainTumorDesign &design,
                             const BrainTumorOptions &options,
                             std::source_location where)
    : BaseModel(where, options.name) {
  check(options, where);
  std::vector<StartNode> starts(design.hasRadiomics ? 4 : 3);
  HiddenNode inputs(std::vector<Node>(starts.begin(), starts.end()), NoChange(),
                    {checked(ruleOf(design), options.name, where)});
  Network network(design, options, inputs);
  Node segments = network.segments();
  Node fine = network.fineClasses(segments);
  define(starts, {EndNode({segments, network.coarseClasses(fine), fine})},
         where);
}

//===-- The six networks --------------------------------------------------===//

static constexpr Extents kSlice = {1, 3, 3}, kCube = {3, 3, 3},
                         kWide = {3, 5, 5};
static constexpr Extents kHalfSlice = {1, 2, 2}, kHalf = {2, 2, 2};

/// Return a level that halves height and width, and one that also halves the
/// depth.
static SegmentLevel wide(int64_t filters, const Extents &window = kCube) {
  return {filters, kWide, kSlice, window, kHalfSlice};
}
static SegmentLevel deep(int64_t filters) {
  return {filters, kWide, kCube, kCube, kHalf};
}

/// Returns five dense levels with these channels, with the windows of the max
/// pooling after them, and with the windows of the max pooling of the segments.
static std::vector<DenseLevel> denseLevels(const std::vector<int64_t> &filters,
                                           const std::vector<Extents> &windows,
                                           const std::vector<Extents> &masks) {
  std::vector<DenseLevel> levels;
  for (size_t i = 0; i < filters.size(); ++i)
    levels.push_back({filters[i], i < 4 ? kSlice : kCube, windows[i],
                      i < 3 ? kHalfSlice : kHalf, masks[i]});
  return levels;
}

static BrainTumorDesign designC3() {
  return {.normalizesBefore = true,
          .down = {wide(8), wide(16), wide(32), deep(64)},
          .up = {8, 16, 32, 64},
          .segmentFilters = 4,
          .dense = denseLevels({4, 8, 16, 32, 64},
                               {kSlice, kSlice, kCube, kCube, kCube},
                               {kSlice, kSlice, kCube, kCube, kCube}),
          .head = {512}};
}

static BrainTumorDesign designC4() {
  BrainTumorDesign design = designC3();
  design.normalizesBefore = false;
  for (DenseLevel &level : design.dense)
    level.window = kCube;
  return design;
}

static BrainTumorDesign designC4R() {
  BrainTumorDesign design = designC4();
  design.hasRadiomics = true;
  design.down.front() = {.filters = 16,
                         .first = kWide,
                         .window = kCube,
                         .strides = kHalfSlice,
                         .kind = SegmentLevel::once};
  return design;
}

static BrainTumorDesign designC5() {
  std::vector<Extents> cubes(5, kCube);
  return {.down = {wide(8),
                   wide(16),
                   wide(32),
                   deep(64),
                   {.filters = 96,
                    .first = kCube,
                    .window = kCube,
                    .strides = kHalf,
                    .kind = SegmentLevel::once}},
          .up = {8, 16, 32, 64, 96},
          .segmentFilters = 6,
          .dense = denseLevels({6, 8, 16, 32, 64}, cubes, cubes),
          .kind = {.isNormalized = true},
          .extraInputs = BrainTumorDesign::attendedAndSegments,
          .tail = BrainTumorDesign::joinedWithLastLevel,
          .head = {512}};
}

static BrainTumorDesign designC5XS() {
  return {.down = {wide(8),
                   wide(12),
                   wide(24),
                   deep(48),
                   {.filters = 96,
                    .first = kCube,
                    .window = kCube,
                    .strides = kHalf,
                    .kind = SegmentLevel::once}},
          .up = {8, 12, 24, 48, 96},
          .segmentFilters = 6,
          .dense =
              denseLevels({4, 4, 8, 12, 24}, std::vector<Extents>(5, kCube),
                          {kSlice, kSlice, kSlice, kCube, kCube}),
          .kind = {.steps = 2, .isNormalized = true},
          .extraInputs = BrainTumorDesign::attendedAndSegments,
          .tail = BrainTumorDesign::nothing,
          .head = {384}};
}

static BrainTumorDesign designCR() {
  BrainTumorDesign design = designC3();
  design.hasRadiomics = true;
  design.down = {{.filters = 16,
                  .first = kWide,
                  .strides = kHalfSlice,
                  .kind = SegmentLevel::strided},
                 wide(16, kSlice),
                 wide(32, kSlice),
                 deep(64)};
  design.isSquared = true;
  std::vector<Extents> windows = {kCube, kSlice, kCube, kCube, kCube};
  design.dense = denseLevels({4, 8, 32, 32, 64}, windows, windows);
  for (DenseLevel &level : design.dense)
    level.size = kCube;
  design.extraInputs = BrainTumorDesign::levels;
  design.head = {256, 128};
  design.hasCoarseWeight = false;
  return design;
}

C3::C3(BrainTumorOptions options, std::source_location where)
    : BrainTumorNet(designC3(), options, where) {}
C4::C4(BrainTumorOptions options, std::source_location where)
    : BrainTumorNet(designC4(), options, where) {}
C4R::C4R(BrainTumorOptions options, std::source_location where)
    : BrainTumorNet(designC4R(), options, where) {}
C5::C5(BrainTumorOptions options, std::source_location where)
    : BrainTumorNet(designC5(), options, where) {}
C5XS::C5XS(BrainTumorOptions options, std::source_location where)
    : BrainTumorNet(designC5XS(), options, where) {}
CR::CR(BrainTumorOptions options, std::source_location where)
    : BrainTumorNet(designCR(), options, where) {}
