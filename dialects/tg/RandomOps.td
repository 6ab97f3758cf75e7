#ifndef TG_DIALECTS_TG_RANDOMOPS_TD
#define TG_DIALECTS_TG_RANDOMOPS_TD

include "dialects/tg/TgBase.td"

#endif // TG_DIALECTS_TG_RANDOMOPS_TD
