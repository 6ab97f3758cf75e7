//===- TgOps.cpp - registers the ops of all families ----------------------===//
#include "dialects/tg/Tg.h"

namespace tg {
#define TG_FAMILY(name) void register##name(TgDialect &dialect);
#include "dialects/tg/TgFamilies.inc"
#undef TG_FAMILY
} // namespace tg

void tg::TgDialect::registerOperations() {
#define TG_FAMILY(name) register##name(*this);
#include "dialects/tg/TgFamilies.inc"
#undef TG_FAMILY
}
