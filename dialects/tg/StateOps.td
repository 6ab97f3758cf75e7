#ifndef TG_DIALECTS_TG_STATEOPS_TD
#define TG_DIALECTS_TG_STATEOPS_TD

include "dialects/tg/TgBase.td"

#endif // TG_DIALECTS_TG_STATEOPS_TD
