/// Chains of symbolic layers.
#ifndef TG_SYMBOLIC_LINEAR_WRAP_H
#define TG_SYMBOLIC_LINEAR_WRAP_H

#include "Layers.h"

#include <iosfwd>

namespace tg::symbolic {

/// Declares the member function that appends a layer, with options only.
#define TG_LINK(LAYER)                                                         \
  LinearWrap LAYER(const std::string &name,                                    \
                   const decltype(symbolic::LAYER)::Options &options = {},     \
                   Where where = Where::current()) const;
/// Declares the same with a positional argument before the options.
#define TG_LINK_OF(LAYER, TYPE)                                                \
  TG_LINK(LAYER)                                                               \
  LinearWrap LAYER(const std::string &name, TYPE first,                        \
                   const decltype(symbolic::LAYER)::Options &options = {},     \
                   Where where = Where::current()) const;
/// Declares the same with two positional arguments before the options.
#define TG_LINK_OF_TWO(LAYER)                                                  \
  TG_LINK(LAYER)                                                               \
  LinearWrap LAYER(const std::string &name, int64_t filters, Sizes kernelSize, \
                   const decltype(symbolic::LAYER)::Options &options = {},     \
                   Where where = Where::current()) const;

/// A tensor with a fluent interface for applying layers one after another:
///
///   Tensor logits = LinearWrap(image)
///                       .Conv2D("conv0", 32, 3)
///                       .MaxPooling("pool0", 2)
///                       .multiply(0.5)
///                       .FullyConnected("fc1", 10)();
///
/// Each call returns a new chain; the original is not changed.
class LinearWrap {
public:
  using Where = std::source_location;

  explicit LinearWrap(Tensor wrapped, Where where = Where::current());

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

  /// Append layers that do not need a name.
  LinearWrap BNReLU(Where where = Where::current()) const;
  LinearWrap Dropout(double keepProb, Where where = Where::current()) const;

  /// Appends a layer by its name in the registry. Throws GraphError if the name
  /// is unknown.
  LinearWrap layer(const std::string &layerName, const std::string &name,
                   const CallArguments &arguments = {},
                   Where where = Where::current()) const;

  /// Multiplies by a number, or by another tensor with broadcasting.
  LinearWrap multiply(Operand factor, Where where = Where::current()) const;

  /// Applies function(tensor), such as relu.
  LinearWrap apply(Activation function, Where where = Where::current()) const;
  /// Applies function(tensor, more...). Its ops carry the line of the chain.
  template <typename Function, typename First, typename... More>
    requires(!std::same_as<std::remove_cvref_t<First>, Where>)
  LinearWrap apply(Function function, First first, More... more) const {
      dsl::required(function, "a function to apply", place);
      return call(
          [&](Tensor x) -> Tensor { return function(x, first, more...); });
  }
  /// Applies function(first, tensor, more...).
  template <typename Function, typename First, typename... More>
  LinearWrap apply2(Function function, First first, More... more) const {
    dsl::required(function, "a function to apply", place);
    return call(
        [&](Tensor x) -> Tensor { return function(first, x, more...); });
  }

  /// Prints the tensor to the stream by << and returns the chain.
  LinearWrap printTensor(std::ostream &stream) const;
  /// Prints the tensor to the standard output and returns the chain.
  LinearWrap printTensor() const;

  Tensor operator()() const { return wrapped; }
  Tensor tensor() const { return wrapped; }

private:
  LinearWrap wrap(Tensor tensor, Where where) const {
    return LinearWrap(std::move(tensor), where);
  }
  LinearWrap call(const std::function<Tensor(Tensor)> &function) const;

  Tensor wrapped;
  Where place;
};

#undef TG_LINK
#undef TG_LINK_OF
#undef TG_LINK_OF_TWO

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_LINEAR_WRAP_H
