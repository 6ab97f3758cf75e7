/// Tensorpack's symbolic layers: layers by name, argscopes, chains, towers.
#ifndef TG_SYMBOLIC_SYMBOLIC_H
#define TG_SYMBOLIC_SYMBOLIC_H

#include "../graph/variable_scope.h"
#include "GradientProcessors.h"
#include "Layers.h"
#include "LinearWrap.h"
#include "Registry.h"
#include "Summaries.h"
#include "Tower.h"

#endif // TG_SYMBOLIC_SYMBOLIC_H
