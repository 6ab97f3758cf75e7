//===- Panels.h - the layout of packed matrices ---------------------------===//
#ifndef TG_DIALECTS_TGX_PANELS_H
#define TG_DIALECTS_TGX_PANELS_H

#include <cstdint>

namespace tgx {

/// Bytes of a row of a panel of tgx.pack: one layout for the registers of all
/// levels, as wide as the widest register tile.
inline constexpr int64_t kPanelBytes = 256;

} // namespace tgx

#endif // TG_DIALECTS_TGX_PANELS_H
