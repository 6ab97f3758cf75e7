/// All layers.
#ifndef TG_NN_LAYERS_H
#define TG_NN_LAYERS_H

#include "Activations.h"
#include "Attention.h"
#include "Casts.h"
#include "Convolution.h"
#include "Dropout.h"
#include "Embedding.h"
#include "Lambda.h"
#include "Linear.h"
#include "Normalization.h"
#include "Pooling.h"
#include "Recurrent.h"
#include "Reductions.h"
#include "Shapes.h"

#endif // TG_NN_LAYERS_H
