//===- Layers.h - computations of the layers of tg/symbolic/Layers.h ------===//
#ifndef TG_COMPILER_FRONTEND_SYMBOLIC_LAYERS_H
#define TG_COMPILER_FRONTEND_SYMBOLIC_LAYERS_H

#include "tg/symbolic/Registry.h"

namespace tg::symbolic {

/// The functions of the registered layers. tg/symbolic/Layers.h documents the
/// options and their defaults.
LayerOutput conv2D(Tensor input, const Arguments &arguments);
LayerOutput conv2DTranspose(Tensor input, const Arguments &arguments);
LayerOutput fullyConnected(Tensor input, const Arguments &arguments);
LayerOutput maxPooling(Tensor input, const Arguments &arguments);
LayerOutput avgPooling(Tensor input, const Arguments &arguments);
LayerOutput globalAvgPooling(Tensor input, const Arguments &arguments);
LayerOutput fixedUnPooling(Tensor input, const Arguments &arguments);
LayerOutput batchNorm(Tensor input, const Arguments &arguments);
LayerOutput batchRenorm(Tensor input, const Arguments &arguments);
LayerOutput layerNorm(Tensor input, const Arguments &arguments);
LayerOutput instanceNorm(Tensor input, const Arguments &arguments);
LayerOutput maxout(Tensor input, const Arguments &arguments);
LayerOutput prelu(Tensor input, const Arguments &arguments);
LayerOutput bnRelu(Tensor input, const Arguments &arguments);
LayerOutput dropout(Tensor input, const Arguments &arguments);

} // namespace tg::symbolic

#endif // TG_COMPILER_FRONTEND_SYMBOLIC_LAYERS_H
