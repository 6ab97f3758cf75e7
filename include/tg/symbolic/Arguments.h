/// Arguments of symbolic layers by name, for argscopes and for calls of layers
/// by name.
#ifndef TG_SYMBOLIC_ARGUMENTS_H
#define TG_SYMBOLIC_ARGUMENTS_H

#include "../nn/layer.h"

namespace tg::symbolic {

/// The position of the channels: [n, h, w, c] or [n, c, h, w].
enum class DataFormat { channelsLast, channelsFirst };
inline constexpr DataFormat NHWC = DataFormat::channelsLast;
inline constexpr DataFormat NCHW = DataFormat::channelsFirst;

/// The functions that update the moving averages of a batch normalization in
/// training: those of trainFunction() (collection), every function that
/// computes the layer's output (internal), or none (skip).
enum class EmaUpdate { collection, internal, skip };

/// An optional activation. An empty optional means that the option is not
/// given; Activation() means no activation.
class OptionalActivation : public std::optional<Activation> {
public:
  using std::optional<Activation>::optional;
  /// Selects the overload for one tensor if the function is overloaded, as tanh
  /// is.
  OptionalActivation(Tensor (*function)(Operand))
      : std::optional<Activation>(Activation(function)) {}
};

/// A number for all dimensions, or one number per dimension. An empty list
/// means that the option is not given.
class Sizes {
public:
  Sizes() = default;
  Sizes(std::integral auto number) : numbers{static_cast<int64_t>(number)} {}
  Sizes(std::initializer_list<int64_t> list) : numbers(list) {}
  Sizes(std::vector<int64_t> list) : numbers(std::move(list)) {}

  std::vector<int64_t> numbers;
};

/// The value of an argument. Data formats, paddings and EMA updates are given
/// by name: "NCHW", "same", "internal". A number is also accepted in place of
/// an initializer.
class Argument {
public:
  /// Constructs no value, as if the argument were not given.
  Argument() = default;
  Argument(bool flag);
  Argument(int64_t number);
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  Argument(Number number) : Argument(static_cast<int64_t>(number)) {}
  Argument(double number);
  Argument(const char *word);
  Argument(std::string word);
  Argument(Sizes sizes);
  Argument(std::initializer_list<int64_t> sizes);
  Argument(std::vector<double> numbers);
  Argument(Padding padding);
  Argument(Initializer initializer);
  Argument(Tensor tensor);
  /// Constructs an activation or a regularizer.
  Argument(Tensor (*function)(Operand));
  template <std::invocable<Operand> Function>
  Argument(Function function) : Argument(Activation(std::move(function))) {}
  Argument(Activation activation);

  /// Internal: the value, which copies share, or null for no value.
  struct Value;
  std::shared_ptr<const Value> value;
};

/// Arguments by name. Each name occurs once: {{"filters", 32}, {"activation",
/// relu}}.
class Arguments {
public:
  using Pair = std::pair<std::string, Argument>;

  Arguments();
  Arguments(std::initializer_list<Pair> given);
  Arguments(const Arguments &);
  Arguments(Arguments &&);
  Arguments &operator=(const Arguments &);
  Arguments &operator=(Arguments &&);
  ~Arguments();

  /// Returns the argument converted to a type, for custom layers: bool,
  /// int64_t, double, std::string, Sizes, std::vector<double>, Padding,
  /// DataFormat, EmaUpdate, Initializer, Tensor, Operand, Activation or
  /// Regularizer. Throws GraphError at the line of the call if the argument is
  /// missing or is not convertible.
  template <typename T> T get(const std::string &name) const;
  /// Returns the argument, or `fallback` if it is missing.
  template <typename T> T get(const std::string &name, T fallback) const {
    return has(name) ? get<T>(name) : std::move(fallback);
  }
  bool has(const std::string &name) const { return find(name) != nullptr; }

  /// Replaces or adds the argument.
  void set(const std::string &name, Argument argument);
  void remove(const std::string &name);
  /// Returns all arguments in the order in which they were added.
  const std::vector<Pair> &all() const { return pairs; }

  /// Internal: the name of the called layer, and the source location of the
  /// call.
  std::string layer;
  std::source_location where;

private:
  const Argument *find(const std::string &name) const;

  std::vector<Pair> pairs;
};

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_ARGUMENTS_H
