//===- LinearWrap.cpp - chains of symbolic layers -------------------------===//
#include "tg/symbolic/LinearWrap.h"
#include "compiler/frontend/graph/Build.h"

#include <iostream>

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

LinearWrap::LinearWrap(Tensor tensor, std::source_location where)
    : wrapped(std::move(tensor)), place(where) {
  expectDefined(wrapped, where);
}

LinearWrap LinearWrap::layer(const std::string &layerName,
                             const std::string &name,
                             const CallArguments &arguments,
                             std::source_location where) const {
  NamedLayer found = symbolic::layer(layerName, where);
  return wrap(found(name, {wrapped, where}, arguments), where);
}

LinearWrap LinearWrap::multiply(Operand factor,
                                std::source_location where) const {
  Scope scope(wrapped.body(), "", where);
  return wrap(Operand(wrapped, where) * std::move(factor), where);
}

LinearWrap LinearWrap::apply(Activation function,
                             std::source_location where) const {
  Scope scope(wrapped.body(), "", where);
  required(function, "a function to apply", where);
  return wrap(function({wrapped, where}), where);
}

LinearWrap
LinearWrap::call(const std::function<Tensor(Tensor)> &function) const {
  Scope scope(wrapped.body(), "", place);
  return wrap(function(wrapped), place);
}

LinearWrap LinearWrap::printTensor(std::ostream &stream) const {
  stream << wrapped << "\n";
  return *this;
}

LinearWrap LinearWrap::printTensor() const { return printTensor(std::cout); }

//===----------------------------------------------------------------------===//
// Layers as links
//===----------------------------------------------------------------------===//

/// Defines the member function that appends a layer, with options only.
#define TG_LINK(LAYER)                                                         \
  LinearWrap LinearWrap::LAYER(                                                \
      const std::string &name,                                                 \
      const decltype(symbolic::LAYER)::Options &options, Where where) const {  \
    return wrap(symbolic::LAYER(name, {wrapped, where}, options), where);      \
  }
/// Defines the same with a positional argument before the options.
#define TG_LINK_OF(LAYER, TYPE)                                                \
  TG_LINK(LAYER)                                                               \
  LinearWrap LinearWrap::LAYER(                                                \
      const std::string &name, TYPE first,                                     \
      const decltype(symbolic::LAYER)::Options &options, Where where) const {  \
    return wrap(                                                               \
        symbolic::LAYER(name, {wrapped, where}, std::move(first), options),    \
        where);                                                                \
  }
/// Defines the same with two positional arguments before the options.
#define TG_LINK_OF_TWO(LAYER)                                                  \
  TG_LINK(LAYER)                                                               \
  LinearWrap LinearWrap::LAYER(                                                \
      const std::string &name, int64_t filters, Sizes kernelSize,              \
      const decltype(symbolic::LAYER)::Options &options, Where where) const {  \
    return wrap(symbolic::LAYER(name, {wrapped, where}, filters,               \
                                std::move(kernelSize), options),               \
                where);                                                        \
  }

TG_LINK_OF_TWO(Conv2D)
TG_LINK_OF_TWO(Conv2DTranspose)
TG_LINK_OF(FullyConnected, int64_t)
TG_LINK_OF(MaxPooling, Sizes)
TG_LINK_OF(AvgPooling, Sizes)
TG_LINK(GlobalAvgPooling)
TG_LINK_OF(FixedUnPooling, Sizes)
TG_LINK(BatchNorm)
TG_LINK(BatchRenorm)
TG_LINK(LayerNorm)
TG_LINK(InstanceNorm)
TG_LINK_OF(Maxout, int64_t)
TG_LINK_OF(PReLU, double)
TG_LINK(BNReLU)
TG_LINK_OF(Dropout, double)

LinearWrap LinearWrap::BNReLU(Where where) const {
  return wrap(symbolic::BNReLU({wrapped, where}), where);
}

LinearWrap LinearWrap::Dropout(double keepProb, Where where) const {
  return wrap(symbolic::Dropout({wrapped, where}, keepProb), where);
}
