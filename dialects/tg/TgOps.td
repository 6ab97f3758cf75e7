//===- TgOps.td - all ops of the dialect, one file per family -------------===//
#ifndef TG_DIALECTS_TG_TGOPS_TD
#define TG_DIALECTS_TG_TGOPS_TD

include "dialects/tg/ops/elementwise/UnaryOps.td"
include "dialects/tg/ops/elementwise/BinaryOps.td"
include "dialects/tg/ops/elementwise/QuotientOps.td"
include "dialects/tg/ops/elementwise/MixedTypeOps.td"
include "dialects/tg/ops/structured/ContractionOps.td"
include "dialects/tg/ops/windows/ConvolutionOps.td"
include "dialects/tg/ops/structured/ReductionOps.td"
include "dialects/tg/ops/structured/NormalizationOps.td"
include "dialects/tg/ops/structured/LossOps.td"
include "dialects/tg/ops/windows/PoolingOps.td"
include "dialects/tg/ops/windows/ResizeOps.td"
include "dialects/tg/ops/movement/ConstantOps.td"
include "dialects/tg/ops/movement/ShapeOps.td"
include "dialects/tg/ops/movement/DataMovementOps.td"
include "dialects/tg/ops/movement/SliceOps.td"
include "dialects/tg/ops/movement/IndexingOps.td"
include "dialects/tg/ops/elementwise/RandomOps.td"
include "dialects/tg/ops/control/ControlOps.td"
include "dialects/tg/ops/control/StateOps.td"
include "dialects/tg/ops/control/GradientOps.td"
include "dialects/tg/ops/control/HostOps.td"
include "dialects/tg/ops/control/CudaOps.td"

#endif // TG_DIALECTS_TG_TGOPS_TD
