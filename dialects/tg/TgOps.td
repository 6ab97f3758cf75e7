//===- TgOps.td - all ops of the dialect, one file per family -------------===//
#ifndef TG_DIALECTS_TG_TGOPS_TD
#define TG_DIALECTS_TG_TGOPS_TD

include "dialects/tg/UnaryOps.td"
include "dialects/tg/BinaryOps.td"
include "dialects/tg/QuotientOps.td"
include "dialects/tg/MixedTypeOps.td"
include "dialects/tg/ContractionOps.td"
include "dialects/tg/ConvolutionOps.td"
include "dialects/tg/ReductionOps.td"
include "dialects/tg/NormalizationOps.td"
include "dialects/tg/LossOps.td"
include "dialects/tg/PoolingOps.td"
include "dialects/tg/ResizeOps.td"
include "dialects/tg/ConstantOps.td"
include "dialects/tg/ShapeOps.td"
include "dialects/tg/DataMovementOps.td"
include "dialects/tg/SliceOps.td"
include "dialects/tg/IndexingOps.td"
include "dialects/tg/RandomOps.td"
include "dialects/tg/ControlOps.td"
include "dialects/tg/StateOps.td"
include "dialects/tg/GradientOps.td"
include "dialects/tg/HostOps.td"

#endif // TG_DIALECTS_TG_TGOPS_TD
