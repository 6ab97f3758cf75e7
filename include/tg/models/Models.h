/// All models.
#ifndef TG_MODELS_MODELS_H
#define TG_MODELS_MODELS_H

#include "AirNet.h"
#include "AlexNet.h"
#include "BrainTumor.h"
#include "DenseNet.h"
#include "Hed.h"
#include "HeteroNet.h"
#include "ImageSearch.h"
#include "ResNet.h"
#include "UNet.h"
#include "Vgg.h"

#endif // TG_MODELS_MODELS_H
