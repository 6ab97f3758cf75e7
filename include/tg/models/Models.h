/// All models.
#ifndef TG_MODELS_MODELS_H
#define TG_MODELS_MODELS_H

#include "DenseNet.h"
#include "ResNet.h"
#include "UNet.h"
#include "Vgg.h"

#endif // TG_MODELS_MODELS_H
