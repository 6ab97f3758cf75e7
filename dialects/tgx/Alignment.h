//===- Alignment.h - the alignment of memory ------------------------------===//
#ifndef TG_DIALECTS_TGX_ALIGNMENT_H
#define TG_DIALECTS_TGX_ALIGNMENT_H

#include <cstdint>

namespace tgx {

/// The alignment, in bytes, of every buffer and of the blocks that buffers lie
/// in (slab, workspace, packed). Libraries report it in tg_model_t.alignment,
/// so that a caller allocates once for all targets.
inline constexpr int64_t kAlignment = 64;

} // namespace tgx

#endif // TG_DIALECTS_TGX_ALIGNMENT_H
