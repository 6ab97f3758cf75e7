//===- Tuning.h - the numbers by which the CPU's code is tuned ------------===//
//
// Each says what it counts, in which unit, why it is not greater or less, and
// by which rows of tgc-bench it was measured: on a Xeon (Sapphire Rapids: 48
// KiB and 2 MiB of caches per core) or, where that is said, on an EPYC (Zen 4:
// 32 KiB and 1 MiB), variants in turns, on 1 and 2 threads.
// Measure those rows again before and after a change.
//
// "Order of sums": a change changes the order in which floating-point numbers
// are added, hence bits of results. All others change speed alone.
//
//===----------------------------------------------------------------------===//
#ifndef TG_COMPILER_CODEGEN_CPU_TUNING_H
#define TG_COMPILER_CODEGEN_CPU_TUNING_H

#include <cstdint>

namespace tg::tuning {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Bytes of the first data cache that code may count on: that of the smallest
/// CPU of the last fifteen years.
inline constexpr int64_t kFirstCacheBytes = 32 * 1024;
/// Bytes of the second one for which blocks are cut: that of servers since
/// 2019. Where it is smaller, blocks come from the third.
inline constexpr int64_t kSecondCacheBytes = 1280 * 1024;

/// Bytes of a way of the second cache, and ways: of one that is small today.
inline constexpr int64_t kSecondCacheWayBytes = 64 * 1024, kSecondCacheWays = 8;

/// Bytes that caches hold and bring together.
inline constexpr int64_t kCacheLineBytes = 64;

/// Bytes that caches next to the workers keep together, and that all caches
/// keep: outputs whose memory was used longer ago, and that are read later, are
/// stored past them. A plain store reads its line first, a streaming one does
/// not: a third of the traffic of a copy. Rows ew_gelu, softmax, layernorm (64,
/// 64 and 16 MiB), mobilenet_v2, resnet50 (training, and inference, where no
/// memory is far).
inline constexpr int64_t kNearCacheBytes = int64_t(4) << 20,
                         kAllCachesBytes = int64_t(16) << 20;

//===----------------------------------------------------------------------===//
// Elementwise loops
//===----------------------------------------------------------------------===//

/// Elements of a tile: long enough to hide a launch of some microseconds, short
/// enough to balance workers. Rows ew_gelu, adam25m.
inline constexpr int64_t kLoopTileElements = 16 * 1024;
/// The same of a body with several expensive ops, each of which costs as much
/// as ten others: the step of a recurrent network has few elements, which one
/// worker would compute alone. Row lstm.
inline constexpr int64_t kExpensiveTileElements = 4 * 1024;
inline constexpr unsigned kManyExpensiveOps = 3;

/// Vectors of one round of a loop over a short body: the loop's own work is
/// visible beside one. Longer bodies and polynomials would run out of
/// registers. Row adam25m.
inline constexpr unsigned kShortLoopVectors = 2;
/// The most ops of a short body.
inline constexpr unsigned kShortLoopOps = 8;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Elements that a tile reads, of whole rows or of columns: as for loops. Rows
/// softmax, layernorm, column_sums.
inline constexpr int64_t kReductionTileElements = 16 * 1024;

/// Rounds that one accumulator takes up before it is added to a total, and
/// blocks that such a total takes up before it is added to the next: the
/// rounding error of a sum grows with these numbers, and with the number of
/// elements only from 64 * 64 rounds on, 64 * 64 times more slowly. Order of
/// sums. A matter of precision: one addition more in 64. Rows softmax,
/// layernorm, column_sums.
inline constexpr int64_t kBlockRounds = 64, kSumLevels = 2;

/// The same for the segments of a row that is no single run of memory, such as
/// the rows of a matrix that are added up as a whole. Blocks are smaller: each
/// segment adds up to several rounds. Order of sums.
inline constexpr int64_t kBlockSegments = 16, kSegmentLevels = 3;

/// Interleaved accumulators of a pass over a row, which hide the latency of
/// additions (4 cycles, two each cycle): of a phase with one cheap reduction,
/// and of others, which have more work between two additions. Order of sums.
/// Rows softmax, layernorm.
inline constexpr unsigned kCheapAccumulators = 4, kOtherAccumulators = 2;

/// Bytes of the longest row of which values stay in scratch memory from one
/// phase to the next, and of which the next row is asked for: they stay in the
/// second cache beside the row itself. Row softmax.
inline constexpr int64_t kKeptRowBytes = 64 * 1024;

/// Bytes of the shortest row worth asking for while the one before is
/// computed: shorter ones follow each other so fast that the hardware sees one
/// stream. Rows softmax, layernorm.
inline constexpr int64_t kPrefetchedRowBytes = 2 * 1024;

/// Elements of a part of a long sum at least, and parts of all tiles at most: a
/// part should cost more than its launch, and 64 workers have one each. Order
/// of sums. Row column_sums.
inline constexpr int64_t kPartElements = 32 * 1024, kMostParts = 64;
/// Columns at whose multiples parts of a row begin: at whole vectors. Order of
/// sums.
inline constexpr int64_t kRowPartColumns = 1024;

/// Least columns of a tile that reduces columns: a few cache lines of each row.
/// Row column_sums.
inline constexpr int64_t kTileColumns = 256;
/// One in this number of vector registers holds a column's sum: the wider the
/// part of a row, the better memory is read. Row column_sums.
inline constexpr unsigned kRegistersPerColumnSum = 2;
/// Bodies of more ops are not repeated as often: for so many vectors of
/// columns, or for so many if one op is expensive.
inline constexpr unsigned kShortColumnOps = 4, kLongColumnVectors = 4,
                          kExpensiveColumnVectors = 2;

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Bytes of a row of a panel: one layout for the registers of all levels, as
/// wide as the widest register tile. Rows gemm_*.
inline constexpr int64_t kPanelBytes = 256;

/// Rows and vectors of a register tile: rows x vectors sums, `vectors` of the
/// rhs and one of the lhs stay in registers. With 32 registers 6 x 4, or 12 x 2
/// where the columns need no more; with 16 of them 6 x 2. 6 x 4 loads 10 times
/// for 24 products, 12 x 2 14 times: it is the loads that wait when a core's
/// other thread is busy (+2 % in calm minutes, +8 to 14 % in others). Rows
/// gemm_*.
inline constexpr unsigned kWideRows = 6, kWideVectors = 4, kNarrowRows = 12,
                          kNarrowVectors = 2;

/// Register tiles are narrower where more than one column in so many would be
/// missing: 96 columns are three times two vectors, not twice four. Order of
/// sums of remaining rows. Rows allcnn.
inline constexpr int64_t kMostMissingColumns = 8;

/// Products of two matrices along whose rows one long sum runs: steps at least,
/// the columns of the one that are few, elements of the result at most, and how
/// many times as many elements each part of the sum reads. Order of sums. Row
/// mobilenet_v2 (training).
inline constexpr int64_t kLeastLongSum = 1024;
inline constexpr int64_t kMostLongSumRows = 32,
                         kMostLongSumElements = 16 * 1024, kLongSumReads = 8;

/// Sums that a register tile has at least, by interleaved accumulators where
/// rows are few: two FMAs each cycle of 4 cycles' latency. Order of sums.
inline constexpr unsigned kLeastSums = 8;
/// Interleaved accumulators of a single row at least, which also keeps long
/// sums precise. Order of sums. Row gemm_1x4096x4096.
inline constexpr unsigned kSingleRowAccumulators = 4;

/// Steps of K in one round of the loop of a whole register tile. A core whose
/// other thread is busy decodes for each every other cycle: of 43 instructions
/// for 24 products 36 are left (+5 % on two threads of such a core, else no
/// change; 8 steps as 4). Rows gemm_*, mlp_wide.
inline constexpr int64_t kRoundSteps = 4;
/// Steps at most where a short K is known and others would come one by one:
/// lines of 7 and 14 positions, runs of 9 elements.
inline constexpr int64_t kMostRoundSteps = 9;
/// Lines of the next panel that a round asks for: all of it where tiles have 24
/// rows and more. On the Xeon 1, 2 and 4 are as good within 1 %; the EPYC
/// takes 10 to 14 % longer with 2 where few rows read weights that no cache
/// keeps. Rows lstm,
/// transformer (inference, batch 1).
inline constexpr int64_t kRoundPrefetches = 4;

/// Parts of a K-block, at most, beside which the memory is asked for that ops
/// behind a product read and write: few lines at a time, since a core waits
/// where it asks for more than 16 that are not in its caches. Rows resnet50
/// (training).
inline constexpr int64_t kMostAsks = 8;

/// The most ops behind a product that take its sums from registers, where they
/// stand once for each of these; more would cost time to compile: a batch
/// normalization, and an activation of two ops. Rows gemm_1024x1024x1024
/// (+2 %), mlp_wide, mobilenet_v2.
inline constexpr unsigned kRegisterEpilogueOps = 6;

/// K of a block, as first caches that a panel fills. The panel passes through
/// the first cache for each register tile, at half of what the second one can
/// give; sums that go through memory between two blocks cost more: of 1 to 16,
/// 4 take 2 to 3 % less time than 1 on the EPYC, where products of K = 512 then
/// reach its peak, and more gain nothing. On the Xeon 1 and 2 were as good.
/// Rows gemm_*, lstm, transformer.
inline constexpr int64_t kPanelCaches = 4;
/// K of a block is a multiple of this: whole rounds.
inline constexpr int64_t kBlockUnit = kRoundSteps;

/// Rows and panels of the largest tile: 384 KiB of sums beside 110 to 210 KiB
/// of the lhs. Where the rows share the copies of the lhs, fewer panels leave
/// room for more rows. Each panel comes once for all rows of a tile: fewer rows
/// would wait for memory. 48 to 384 rows and 256 to 1024 columns were tried
/// without gain. Rows gemm_*.
inline constexpr int64_t kMostTileRows = 192, kMostTilePanels = 8;
/// Bytes of a tile's part of the rhs that is copied once for several bands of
/// so many rows, and bands at most: it stays in the second cache, and beside
/// 192 rows its copy takes a tenth of the product. Products of resnet50
/// (training), +5 to 8 %.
inline constexpr int64_t kBandedBytes = int64_t(1) << 20, kMostBands = 8;
/// Fewer rows of a tile would leave a panel no time to come. Rows gemm_*,
/// 2 threads. Where only fewer rows share out work evenly, they are better than
/// waiting for a worker: row mobilenet_v2.
inline constexpr int64_t kLeastTileRows = 30, kLeastUnevenTileRows = 24;
/// Rows of a product that a part of a sum over its rows takes up: parts are
/// left in memory, 1/24 of the result, and some tiles have one each. Order of
/// sums. Rows mlp, mlp_wide (training).
inline constexpr int64_t kRowPart = 24;
/// Vectors of columns that such a part is computed for at once: a few lines of
/// each row, which come faster than one. Row resnet50 (training).
inline constexpr unsigned kRowSumVectors = 4;
/// Tiles for each of several workers, so that one may be late, and where they
/// do not divide evenly, so that none has an eighth more to do than others.
/// Rows mobilenet_v2, resnet50.
inline constexpr int64_t kTilesPerWorker = 2, kUnevenTilesPerWorker = 8;

/// The percentage of the second cache for the transformed lhs and the sums of a
/// block of Winograd tiles: factors of filters pass through the rest. Then the
/// lower bound of tiles of a block, since the factors of all filters come once
/// for each block, and the upper bound.
inline constexpr int64_t kWinogradPercent = 60;
inline constexpr int64_t kLeastWinogradRows = 24, kMostWinogradRows = 96;
/// The same where the kernel transforms the filter: what the sums of a block of
/// tiles and of a panel have, and what the factors of a panel for some channels
/// have, which are made for all tiles of the block. The transformed lhs passes
/// through the rest; it has so many bytes at most. 30 percent of both take 5 %
/// longer, 70 for the sums and 25 for the factors up to 7. Rows resnet50,
/// vgg16_bn_32 (training).
inline constexpr int64_t kWinogradSumPercent = 45, kWinogradFactorPercent = 45,
                         kWinogradInputBytes = int64_t(6) << 20;

/// Winograd tiles that a part of a sum over the rows of a result takes up:
/// whole register tiles of every shape. Parts are left in memory, 1/192 of the
/// result. Order of sums. Rows allcnn, vgg16_bn_32 (training).
inline constexpr int64_t kWinogradRowPart = 12;

/// The percentage of the second cache for the sums of a block of channels and
/// columns of a filter's gradient; the factors of the Winograd tiles that are
/// transformed at once have as much. Then the upper bound of these tiles.
/// Beside 64 columns these are 64 channels and 32 tiles: 24 tiles take 1 %
/// longer, 48 tiles with 48 channels 2, 32 with 96 or 128 channels 2 to 4, 64
/// with 32 channels 6; beside 32 columns 128 channels are 4 % better than 64.
/// Order of sums. Rows resnet50, allcnn, vgg16_bn_32, densenet121 (training).
inline constexpr int64_t kGradientSumsPercent = 50, kMostGradientTiles = 48;
/// Blocks of the sums that all parts have together, so that workers find some
/// where channels and columns are few, and Winograd tiles of a part at least,
/// beside which its transforms cost little. Order of sums.
inline constexpr int64_t kGradientBlocks = 16, kLeastGradientTiles = 48;

/// Positions of a tile along a line of a convolution of groups at most, and
/// products that it may stand for in the code: each element that it loads meets
/// several. Rows conv3x3dw_*.
inline constexpr int64_t kMostLinePositions = 14, kMostLineProducts = 512;
/// Channels of a group that stand in the code at most, where a vector has those
/// of several groups. Rows conv3x3g32_56x56x128_128.
inline constexpr int64_t kMostPatternChannels = 4;
/// Taps that stand in the code at most: those along a line, or, where they have
/// sums of their own, all of a filter.
inline constexpr int64_t kMostEmittedTaps = 128;
/// Accumulators of a tap of a filter's gradient at most. Order of sums.
inline constexpr int64_t kMostFilterAccumulators = 4;
/// Tiles of a line at its borders that stand in the code by themselves, at
/// most.
inline constexpr int64_t kMostBorderTiles = 6;
/// Vectors of channels that a walk over lines takes up at least, even where its
/// lines do not fit in the first cache: single lines of the cache come slowly.
/// Rows conv3x3dw_112x112x96_96_s2 (1 vector -40 %, 2 -30 %, 4 -25 %, 16 as 6).
inline constexpr int64_t kLeastGroupedVectors = 6;
/// Bounds of convolutions to few channels, whose lanes are positions: the most
/// vectors of a column in a tile, the most taps along a line, the most bytes of
/// the lines that are copied, which stay in the second cache, and the least
/// rings of lines that a tile of the launch passes. Rows conv3x3_128x128x32_1.
inline constexpr unsigned kMostNarrowVectors = 8;
inline constexpr int64_t kMostNarrowTaps = 16,
                         kMostNarrowBytes = int64_t(1) << 20,
                         kNarrowTileRings = 3;
/// Elements of a tile of the launch at least.
inline constexpr int64_t kGroupedTileElements = 8 * 1024;
/// Elements of a tile of other products; each is a whole sum.
inline constexpr int64_t kNaiveTileElements = 1024;

} // namespace tg::tuning

#endif // TG_COMPILER_CODEGEN_CPU_TUNING_H
