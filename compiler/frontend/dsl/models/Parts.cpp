//===- Parts.cpp - what models have in common -----------------------------===//
#include "Parts.h"
#include "tg/error.h"

using namespace tg;

Sequential tg::convolved(int64_t filters, const Windows &windows) {
  return Sequential({Conv2D({.filters = filters,
                             .kernelSize = windows.size,
                             .strides = windows.strides,
                             .padding = windows.padding}),
                     BatchNormalization(), Relu()});
}

void tg::expectPositive(int64_t number, const char *what,
                        const std::string &name, std::source_location where) {
  std::string layer = name.empty() ? "" : "'" + name + "': ";
  if (number < 1)
    throw GraphError(layer + "expected at least 1 " + what + ", found " +
                         std::to_string(number),
                     where);
}
