/// Stages that a description names and that change several features.
#ifndef TG_RUNTIME_DATA_DESCRIPTION_BATCHSTAGES_H
#define TG_RUNTIME_DATA_DESCRIPTION_BATCHSTAGES_H

#include "tg/data/pipeline.hpp"

#include <span>

namespace tg::data {

/// Returns the kinds of these stages.
std::span<const StageKind> batchStages();

} // namespace tg::data

#endif // TG_RUNTIME_DATA_DESCRIPTION_BATCHSTAGES_H
