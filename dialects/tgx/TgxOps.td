//===- TgxOps.td - all ops of the dialect ---------------------------------===//
#ifndef TG_DIALECTS_TGX_TGXOPS_TD
#define TG_DIALECTS_TGX_TGXOPS_TD

include "dialects/tgx/KernelOps.td"
include "dialects/tgx/KernelBodyOps.td"
include "dialects/tgx/PackingOps.td"
include "dialects/tgx/CustomOps.td"
include "dialects/tgx/FunctionOps.td"
include "dialects/tgx/BufferOps.td"
include "dialects/tgx/ControlOps.td"

#endif // TG_DIALECTS_TGX_TGXOPS_TD
