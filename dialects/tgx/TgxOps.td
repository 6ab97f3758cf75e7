//===- TgxOps.td - all ops of the dialect ---------------------------------===//
#ifndef TG_DIALECTS_TGX_TGXOPS_TD
#define TG_DIALECTS_TGX_TGXOPS_TD

include "dialects/tgx/TargetAttr.td"
include "dialects/tgx/kernels/KernelOps.td"
include "dialects/tgx/kernels/KernelBodyOps.td"
include "dialects/tgx/kernels/PackingOps.td"
include "dialects/tgx/kernels/CustomOps.td"
include "dialects/tgx/functions/FunctionOps.td"
include "dialects/tgx/functions/BufferOps.td"
include "dialects/tgx/functions/StepControlOps.td"

#endif // TG_DIALECTS_TGX_TGXOPS_TD
