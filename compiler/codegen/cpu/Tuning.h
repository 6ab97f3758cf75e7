//===- Tuning.h - the tuning constants of the CPU back end ----------------===//
//
// Each constant states its unit, the reason for its value, and the rows of
// tgc-bench by which it was measured. Unless stated otherwise, the machine was
// a Xeon (Sapphire Rapids: 48 KiB of L1 and 2 MiB of L2 per core); the EPYC is
// a Zen 4 (32 KiB and 1 MiB). Variants ran alternately, on 1 and 2 threads.
// Measure the same rows again before and after a change.
//
// The constants affect speed alone. The orders of floating-point additions, and
// therefore the bits of results, are attributes of ops (dialects/tg/bits.md).
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_TUNING_H
#define TG_COMPILER_CODEGEN_CPU_TUNING_H

#include <cstdint>

namespace tg::tuning {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The size in bytes of the L1 data cache that code may assume: the smallest L1
/// of the CPUs of the last fifteen years.
inline constexpr int64_t kL1Bytes = 32 * 1024;
/// The size in bytes of the L2 cache that blocks are sized for: servers since
/// 2019 have it. On CPUs with a smaller L2, blocks come from L3.
inline constexpr int64_t kL2Bytes = 1280 * 1024;

/// The size in bytes of a way of the L2 cache, and the number of ways, of an L2
/// that is small today.
inline constexpr int64_t kL2WayBytes = 64 * 1024, kL2Ways = 8;

/// The size of a cache line in bytes.
inline constexpr int64_t kCacheLineBytes = 64;

/// The capacity in bytes of the caches close to all workers, and the capacity
/// of all caches together. An output is written with non-temporal stores if at
/// least kTotalCacheBytes are touched between the last use of its memory and
/// the write, and at least kNearCacheBytes between the write and the next use.
/// A normal store reads its cache line first; a non-temporal store does not,
/// which saves a third of the traffic of a copy. Rows ew_gelu, softmax,
/// layernorm (64, 64 and 16 MiB), mobilenet_v2, resnet50 (training, and
/// inference, where all memory is near).
inline constexpr int64_t kNearCacheBytes = int64_t(4) << 20,
                         kTotalCacheBytes = int64_t(16) << 20;

//===----------------------------------------------------------------------===//
// Elementwise loops
//===----------------------------------------------------------------------===//

/// The number of elements of a tile: large enough to hide a launch of some
/// microseconds, small enough to balance workers. Rows ew_gelu, adam25m.
inline constexpr int64_t kLoopTileElements = 16 * 1024;
/// Same, for a body with at least kManyExpensiveOps expensive ops, each of
/// which costs as much as ten others. The step of a recurrent network has few
/// elements, and one worker would compute them alone. Row lstm.
inline constexpr int64_t kExpensiveTileElements = 4 * 1024;
inline constexpr unsigned kManyExpensiveOps = 3;

/// The number of vectors per iteration of the loop over a short body; with one
/// vector the loop overhead is measurable. Longer bodies and polynomials would
/// run out of registers. Row adam25m.
inline constexpr unsigned kShortLoopVectors = 2;
/// The maximum number of ops of a short body.
inline constexpr unsigned kShortLoopOps = 8;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The number of elements that a tile reads, of whole rows or of columns,
/// chosen as for elementwise loops. Rows softmax, layernorm, column_sums.
inline constexpr int64_t kReductionTileElements = 16 * 1024;

/// The percentage of the vector registers that hold the accumulators of a pass
/// over a row. If there are more, several loops share them: a loop stores no
/// accumulators. Row layernorm.
inline constexpr unsigned kRowSumPercent = 75;

/// The number of vectors per iteration of a pass over a row without sums.
inline constexpr unsigned kStoredRowVectors = 2;

/// The number of operands that are kept in memory until they are added, if the
/// elements of a sum are computed in another division into vectors: they stay
/// in L1.
inline constexpr int64_t kBufferedElements = 4 * 1024;

/// The size in bytes of the longest row whose values are saved in scratch
/// memory from one phase to the next, and during which the next row is
/// prefetched: the row, its saved values and the next row fit in L2 together.
/// Row softmax.
inline constexpr int64_t kSavedRowBytes = 64 * 1024;

/// The size in bytes of the shortest row that is prefetched during the
/// computation of the previous one. Shorter rows follow each other so quickly
/// that the hardware prefetcher sees one stream. Rows softmax, layernorm.
inline constexpr int64_t kPrefetchedRowBytes = 2 * 1024;

/// The number of elements of a part of a split reduction that costs more than
/// its launch, and the number of tiles that give 64 workers one each: half as
/// many are split. Row column_sums.
inline constexpr int64_t kPartElements = 32 * 1024, kMaxParts = 64;

/// The minimum number of columns of a tile that reduces columns: a few cache
/// lines of each row. Row column_sums.
inline constexpr int64_t kTileColumns = 256;
/// The percentage of the vector registers that hold the accumulators of column
/// sums, and those of sums of shifted elements together with the shifts. The
/// more columns of a row are read at once, the better the memory bandwidth is
/// used, and the more of them share the work at the end of a block. Row
/// column_sums.
inline constexpr unsigned kColumnSumPercent = 50, kShiftedSumPercent = 75;
/// The maximum number of ops of a short body, which is unrolled over as many
/// vectors of columns as there are accumulators, and the maximum unroll factors
/// of longer bodies without and with an expensive op.
inline constexpr unsigned kShortColumnOps = 4, kLongColumnVectors = 4,
                          kExpensiveColumnVectors = 2;

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// The size in bytes of a row of a packed panel. The layout is the same for the
/// registers of all ISA levels, and as wide as the widest register tile. Rows
/// gemm_*.
inline constexpr int64_t kPanelBytes = 256;
/// The minimum rows of a result that read packed columns, if the function
/// itself packs them. For fewer rows, copies by the tiles are faster than
/// panels in memory.
inline constexpr int64_t kMinPackedRows = 384;

/// The rows and vectors of a register tile. Its rows x vectors accumulators,
/// the vectors of the rhs and one vector of the lhs stay in registers. With 32
/// registers the tile is 6 x 4, or 12 x 2 if the columns need no more; with 16
/// registers it is 6 x 2. A 6 x 4 tile has 10 loads for 24 products, a 12 x 2
/// tile has 14. The loads are the bottleneck when the core's other hardware
/// thread is busy (+2 % on a quiet machine, +8 to 14 % otherwise). Rows gemm_*.
inline constexpr unsigned kWideRows = 6, kWideVectors = 4, kNarrowRows = 12,
                          kNarrowVectors = 2;

/// A register tile gets fewer vectors if there would be more than one vector of
/// padding for each kMaxMissingColumns vectors that are needed: 96 columns are
/// three tiles of two vectors of 16 lanes, not two tiles of four. Rows allcnn.
inline constexpr int64_t kMaxMissingColumns = 8;

/// Bounds of split-K products, in which K runs along the rows of both matrices:
/// the minimum K, the maximum columns of the narrower matrix, the maximum
/// elements of the result, and the minimum ratio of the elements that a split-K
/// slice reads to the elements of the result. Row mobilenet_v2 (training).
inline constexpr int64_t kMinSplitK = 1024;
inline constexpr int64_t kMaxSplitKRows = 32, kMaxSplitKElements = 16 * 1024,
                         kSplitKReads = 8;
/// The number of groups of blocks from which on slices store the sums of whole
/// groups. With fewer groups they store the sums of blocks, so that there is
/// work for all workers. Row mobilenet_v2 (training).
inline constexpr int64_t kManySplitKGroups = 8;

/// The number of accumulators that a register tile with few rows reaches, if
/// there are enough columns, by more vectors of columns. Two FMAs per cycle
/// with a latency of 4 cycles keep 8 accumulators busy. Row gemm_1x4096x4096.
inline constexpr unsigned kMinAccumulators = 8;

/// The number of K steps per iteration of the loop of a full register tile. A
/// core whose other hardware thread is busy decodes for each thread only every
/// other cycle. Unrolling leaves 36 of 43 instructions for 24 products (+5 % on
/// two threads of such a core, otherwise no change; 8 steps are as fast as 4).
/// Rows gemm_*, mlp_wide.
inline constexpr int64_t kUnrolledSteps = 4;
/// The maximum number of steps per iteration if K is short and static, so that
/// no steps are left over for a loop of single steps: lines of 7 and 14
/// positions, runs of 9 elements.
inline constexpr int64_t kMaxUnrolledSteps = 9;
/// The number of cache lines of the next panel that an iteration prefetches. 4
/// covers the whole panel if tiles have at least 24 rows. On the Xeon 1, 2 and
/// 4 are equal within 1 %; the EPYC takes 10 to 14 % longer with 2 where few
/// rows read weights that no cache keeps. Rows lstm, transformer (inference,
/// batch 1).
inline constexpr int64_t kIterationPrefetches = 4;

/// The maximum number of slices of a K block that prefetch the memory which the
/// ops after a product read and write. Each slice prefetches few lines, because
/// a core stalls when it has more than 16 outstanding prefetches that miss its
/// caches. Rows resnet50 (training).
inline constexpr int64_t kMaxPrefetches = 8;

/// The maximum number of ops of an epilogue that is applied to accumulators in
/// registers. It covers a batch normalization and an activation of two ops. The
/// ops are emitted once for each register, so that more ops would increase
/// compile time. Rows gemm_1024x1024x1024 (+2 %), mlp_wide, mobilenet_v2.
inline constexpr unsigned kRegisterEpilogueOps = 6;

/// The size of a panel of one K block, in multiples of the L1 cache. A panel
/// passes through L1 for each register tile, at half of the bandwidth of L2.
/// Sums that go through memory between two blocks cost more: of 1 to 16, 4
/// takes 2 to 3 % less time than 1 on the EPYC, where products of K = 512 then
/// reach its peak, and more gains nothing. On the Xeon 1 and 2 were equal. Rows
/// gemm_*, lstm, transformer.
inline constexpr int64_t kPanelCaches = 4;
/// The K of a block is a multiple of this: whole iterations.
inline constexpr int64_t kBlockUnit = kUnrolledSteps;

/// The maximum rows and panels of a tile: 384 KiB of sums next to 110 to 210
/// KiB of the lhs. If the rows share the copies of the lhs, fewer panels leave
/// room for more rows. Each panel is loaded once for all rows of a tile, and
/// with fewer rows the core would wait for memory. 48 to 384 rows and 256 to
/// 1024 columns were tried without gain. Rows gemm_*.
inline constexpr int64_t kMaxTileRows = 192, kMaxTilePanels = 8;
/// The maximum size in bytes of a tile's part of the rhs that is copied once
/// for several bands of kMaxTileRows rows, and the maximum number of bands.
/// The copy stays in L2; making it takes a tenth of the time of a product with
/// 192 rows. Products of resnet50 (training), +5 to 8 %.
inline constexpr int64_t kBandedBytes = int64_t(1) << 20, kMaxBands = 8;
/// The minimum rows of a tile; with fewer rows a panel would not arrive from
/// memory in time. Rows gemm_*, 2 threads. The second bound applies if only
/// fewer rows balance the work of the workers, because fewer rows cost less
/// than waiting for a worker: row mobilenet_v2.
inline constexpr int64_t kMinTileRows = 30, kMinUnevenTileRows = 24;
/// The number of rows of a product to which the ops after it are applied at
/// once, at least. Rows mlp, mlp_wide (training).
inline constexpr int64_t kEpilogueRows = 24;
/// The number of column vectors that a part of a column reduction of the result
/// computes at once. Several
/// cache lines of a row arrive faster than one. Row resnet50 (training).
inline constexpr unsigned kRowSumVectors = 4;
/// The number of tiles per worker if there are several workers, so that one of
/// them may be late, and the number of tiles per worker if the tiles do not
/// divide evenly, so that no worker has an eighth more to do than others. Rows
/// mobilenet_v2, resnet50.
inline constexpr int64_t kTilesPerWorker = 2, kUnevenTilesPerWorker = 8;

/// The percentage of L2 for the transformed lhs and the sums of a block of
/// Winograd tiles; the transformed filter streams through the rest.
inline constexpr int64_t kWinogradPercent = 60;
/// The minimum and maximum number of tiles of such a block. The whole
/// transformed filter is read once per block.
inline constexpr int64_t kMinWinogradRows = 24, kMaxWinogradRows = 96;
/// Bounds for kernels that transform the filter: the percentage of L2 for the
/// sums of a block of tiles and a panel; the percentage for the transformed
/// filter of a panel and some channels, which is computed once for all tiles of
/// the block; and the maximum size in bytes of the transformed lhs, which
/// streams through the rest. With 30 percent for both, runs take 5 % longer;
/// with 70 for the sums and 25 for the filter, up to 7 %. Rows resnet50,
/// vgg16_bn_32 (training).
inline constexpr int64_t kWinogradSumPercent = 45, kWinogradFactorPercent = 45,
                         kWinogradInputBytes = int64_t(6) << 20;

/// The percentage of L2 for the sums of a block of channels and columns of a
/// filter gradient. The same percentage holds the Winograd tiles that are
/// transformed at once, at most kMaxGradientTiles. With 64 columns a block has
/// 64 channels and 32 tiles: 24 tiles take 1 % longer, 48 tiles with 48
/// channels 2, 32 with 96 or 128 channels 2 to 4, 64 with 32 channels 6; with
/// 32 columns, 128 channels are 4 % better than 64. Rows resnet50, allcnn,
/// vgg16_bn_32, densenet121 (training).
inline constexpr int64_t kGradientSumsPercent = 50, kMaxGradientTiles = 48;
/// The number of blocks of channels and columns that give work to all workers.
/// If there are fewer, the Winograd tiles are divided into slices.
inline constexpr int64_t kGradientBlocks = 16;
/// The assumed number of images if it is dynamic.
inline constexpr int64_t kUsualGradientImages = 32;

/// The maximum number of positions of a tile along a line of a grouped
/// convolution, and the maximum number of products that are emitted for a tile.
/// Each element that a tile loads is used by several products. Rows
/// conv3x3dw_*.
inline constexpr int64_t kMaxLinePositions = 14, kMaxLineProducts = 512;
/// The maximum number of channels of a group that are unrolled in the code, if
/// a vector has channels of several groups. Rows conv3x3g32_56x56x128_128.
inline constexpr int64_t kMaxPatternChannels = 4;
/// The maximum number of taps that are unrolled in the code: the taps along a
/// line or, if each tap has sums of its own, all taps of a filter.
inline constexpr int64_t kMaxEmittedTaps = 128;
/// The maximum number of tiles at the borders of a line that are emitted
/// separately.
inline constexpr int64_t kMaxBorderTiles = 6;
/// The minimum number of channel vectors that a pass over lines processes, even
/// if its lines do not fit in L1, because single cache lines arrive slowly.
/// Rows conv3x3dw_112x112x96_96_s2 (1 vector -40 %, 2 -30 %, 4 -25 %, 16 like
/// 6).
inline constexpr int64_t kMinGroupedVectors = 6;
/// Bounds of few-channel convolutions, whose vector lanes are positions: the
/// maximum vectors of a column in a tile; the maximum taps along a line; the
/// maximum size in bytes of the copied lines, which stay in L2; and the minimum
/// number of lines of a launch tile, in multiples of the ring buffer of lines.
/// Rows conv3x3_128x128x32_1.
inline constexpr unsigned kMaxFewChannelVectors = 8;
inline constexpr int64_t kMaxFewChannelTaps = 16,
                         kMaxFewChannelBytes = int64_t(1) << 20,
                         kFewChannelTileRings = 3;
/// The number of positions of a grouped filter gradient that all channels of a
/// chunk read one after the other. Rows conv3x3dw_*_filter_grad,
/// conv3x3g32_56x56x128_128_filter_grad.
inline constexpr int64_t kVisitPositions = 256;
/// The number of positions of a tile of such a gradient if taps are outside of
/// the lhs, which happens on few lines: little code is emitted for them.
inline constexpr unsigned kBorderPositions = 4;
/// The minimum number of elements of a launch tile of a grouped convolution.
inline constexpr int64_t kGroupedTileElements = 8 * 1024;
/// The number of elements of a tile of naive contractions. A tile computes
/// whole sums.
inline constexpr int64_t kNaiveTileElements = 1024;

} // namespace tg::tuning

#endif // TG_COMPILER_CODEGEN_CPU_TUNING_H
