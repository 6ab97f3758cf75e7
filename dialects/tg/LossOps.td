#ifndef TG_DIALECTS_TG_LOSSOPS_TD
#define TG_DIALECTS_TG_LOSSOPS_TD

include "dialects/tg/TgBase.td"

#endif // TG_DIALECTS_TG_LOSSOPS_TD
