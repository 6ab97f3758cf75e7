//===- LinearWrap.cpp - chains of symbolic layers -------------------------===//
#include "tg/symbolic/LinearWrap.h"
#include "compiler/frontend/dsl/Build.h"

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
