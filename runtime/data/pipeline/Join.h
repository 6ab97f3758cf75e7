/// Examples joined along a new dimension.
#ifndef TG_RUNTIME_DATA_PIPELINE_JOIN_H
#define TG_RUNTIME_DATA_PIPELINE_JOIN_H

#include "Buffers.h"
#include "tg/data/feature.hpp"

namespace tg::data {

/// Returns true if two features have the same element type.
bool haveOneType(const Feature &a, const Feature &b);
/// Throws DataError for a feature that differs from those before it, of `dtype`
/// and `shape`.
[[noreturn]] void failDiffering(const FeatureType &type, const Feature &part,
                                tg_dtype_t dtype,
                                const std::vector<int64_t> &shape);

/// Joins examples, which are at least one. With `pads`, zeros extend each of
/// them to the largest extents. Throws DataError if their types differ, or, if
/// they are not padded, their shapes.
Example joinExamples(const std::vector<Example> &examples,
                     const ExampleType &types, bool pads, Buffers &buffers);

} // namespace tg::data

#endif // TG_RUNTIME_DATA_PIPELINE_JOIN_H
