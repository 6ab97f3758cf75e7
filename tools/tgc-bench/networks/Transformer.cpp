//===- Transformer.cpp - a transformer encoder ----------------------------===//
#include "NetworkParts.h"
#include "Networks.h"

using namespace tg;
using namespace tg::bench;

Layer tg::bench::transformer() {
  constexpr int64_t width = 512;
  Sequential network;
  for (int i = 0; i < 6; ++i)
    network.add(TransformerEncoderBlock({.heads = 8}));
  network.add(LayerNormalization());
  network.add(ReduceMean({.axes = {1}}));
  network.add(classifierHead(width));
  return network;
}
