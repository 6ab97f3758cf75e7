/// Arguments of symbolic layers: by name, as argscopes and calls of layers by
/// name take them.
#ifndef TG_SYMBOLIC_ARGUMENTS_H
#define TG_SYMBOLIC_ARGUMENTS_H

#include "../nn/layer.h"

namespace tg::symbolic {

/// The place of the channels: [n, h, w, c] or [n, c, h, w].
enum class DataFormat { channelsLast, channelsFirst };
inline constexpr DataFormat NHWC = DataFormat::channelsLast;
inline constexpr DataFormat NCHW = DataFormat::channelsFirst;

/// Who moves the averages of a batch normalization while training: functions of
/// trainFunction(), every function that computes the layer's output, nobody.
enum class EmaUpdate { collection, internal, skip };

/// An activation, which may be none, or what is not given.
class OptionalActivation : public std::optional<Activation> {
public:
  using std::optional<Activation>::optional;
  /// Also where another function of the name takes numbers, as tanh does.
  OptionalActivation(Tensor (*function)(Operand))
      : std::optional<Activation>(Activation(function)) {}
};

/// A number for all dimensions, or one each; without any: not given.
class Sizes {
public:
  Sizes() = default;
  Sizes(std::integral auto number) : numbers{static_cast<int64_t>(number)} {}
  Sizes(std::initializer_list<int64_t> list) : numbers(list) {}
  Sizes(std::vector<int64_t> list) : numbers(std::move(list)) {}

  std::vector<int64_t> numbers;
};

/// The value of an argument. Names of formats, paddings and updates are words:
/// "NCHW", "same", "internal". Numbers stand for initializers, too.
class Argument {
public:
  /// None: as if the layer had not been given the argument.
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
  /// An activation or a regularizer.
  Argument(Tensor (*function)(Operand));
  template <std::invocable<Operand> Function>
  Argument(Function function) : Argument(Activation(std::move(function))) {}
  Argument(Activation activation);

  /// Internal: the value, which copies share; null for none.
  struct Value;
  std::shared_ptr<const Value> value;
};

/// Arguments by name, each once: {{"filters", 32}, {"activation", relu}}.
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

  /// The argument as a type, for layers of one's own: bool, int64_t, double,
  /// std::string, Sizes, std::vector<double>, Padding, DataFormat, EmaUpdate,
  /// Initializer, Tensor, Activation or Regularizer. Throws GraphError at the
  /// line of the call where it is missing or is no such thing.
  template <typename T> T get(const std::string &name) const;
  /// The same with a value for what is missing.
  template <typename T> T get(const std::string &name, T otherwise) const {
    return has(name) ? get<T>(name) : std::move(otherwise);
  }
  bool has(const std::string &name) const { return find(name) != nullptr; }

  /// Replaces the argument or adds it.
  void set(const std::string &name, Argument argument);
  void remove(const std::string &name);
  /// In the order in which they were added.
  const std::vector<Pair> &all() const { return pairs; }

  /// Internal: the layer that is called, and where.
  std::string layer;
  std::source_location where;

private:
  const Argument *find(const std::string &name) const;

  std::vector<Pair> pairs;
};

} // namespace tg::symbolic

#endif // TG_SYMBOLIC_ARGUMENTS_H
