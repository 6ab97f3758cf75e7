//===- Alignment.h - where memory begins ----------------------------------===//
#ifndef TG_DIALECTS_TGX_ALIGNMENT_H
#define TG_DIALECTS_TGX_ALIGNMENT_H

#include <cstdint>

namespace tgx {

/// What every buffer, and the blocks that buffers lie in (slab, workspace,
/// packed), begin at a multiple of, in bytes. Libraries say it in
/// tg_model_t.alignment: a host allocates once for all targets.
inline constexpr int64_t kAlignment = 64;

} // namespace tgx

#endif // TG_DIALECTS_TGX_ALIGNMENT_H
