/// Hyper-parameters of a training by name, with types and default values.
///
///   HParams params({{"learning_rate", 0.001}, {"batch_size", 128},
///                   {"filters", {32, 64}}});
///   params.parse("batch_size=64,filters[1]=48");
///   int64_t size = params.get<int64_t>("batch_size");
#ifndef TG_TRAINING_HPARAMS_HPP
#define TG_TRAINING_HPARAMS_HPP

#include "../cxx20.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace tg::training {

namespace detail {
/// The type that holds a value of type T: int64_t for integers, double for
/// floats, bool, or std::string.
template <typename T>
using HParamElement = std::conditional_t<
    std::is_same_v<T, bool>, bool,
    std::conditional_t<
        std::is_integral_v<T>, int64_t,
        std::conditional_t<std::is_floating_point_v<T>, double, std::string>>>;
} // namespace detail

/// The value of a hyper-parameter: a whole number, a number, a truth value or a
/// string, or a list of one of them.
class HParamValue {
public:
  using Held = std::variant<int64_t, double, bool, std::string,
                            std::vector<int64_t>, std::vector<double>,
                            std::vector<bool>, std::vector<std::string>>;

  template <typename T>
    requires std::is_arithmetic_v<T>
  HParamValue(T value) : held(detail::HParamElement<T>(value)) {}
  HParamValue(const char *text) : held(std::string(text)) {}
  HParamValue(std::string text) : held(std::move(text)) {}
  template <typename T>
  HParamValue(const std::vector<T> &list)
      : held(std::vector<detail::HParamElement<T>>(list.begin(), list.end())) {}
  template <typename T>
  HParamValue(std::initializer_list<T> list)
      : held(std::vector<detail::HParamElement<T>>(list.begin(), list.end())) {}

  bool operator==(const HParamValue &) const = default;

  const Held &variant() const { return held; }
  Held &variant() { return held; }
  bool isList() const { return held.index() >= 4; }
  /// Returns the kind of the value in words: "a list of numbers".
  std::string_view kind() const;
  /// Returns the value as parse() reads it: 0.5, [1,2].
  std::string text() const;

private:
  Held held;
};

/// A hyper-parameter.
struct HParam {
  std::string name;
  HParamValue value;

  bool operator==(const HParam &) const = default;
};

/// Hyper-parameters in the order in which they were added. The default value of
/// each defines its type, which does not change. Whole numbers are also
/// numbers. Members throw std::invalid_argument, which names what was found and
/// what was expected, and change nothing then.
class HParams {
public:
  HParams() = default;
  HParams(std::initializer_list<HParam> defaults);

  /// Adds a hyper-parameter with its default value. Its name, a letter and then
  /// letters, digits, '_' and '.', must be new. Lists have at least one
  /// element, and numbers are finite.
  void add(std::string name, HParamValue value);
  bool has(std::string_view name) const { return find(name) != nullptr; }

  /// Returns a value. T is the type that HParamValue holds.
  template <typename T> const T &get(std::string_view name) const {
    const HParamValue &value = at(name);
    if (const T *held = std::get_if<T>(&value.variant()))
      return *held;
    throwWrongType(name, HParamValue(T()));
  }
  const HParamValue &at(std::string_view name) const;
  /// Replaces a value by one of its type.
  void set(std::string_view name, HParamValue value);

  /// Replaces values by those in a text, which are separated by commas:
  /// "rate=0.01,filters=[16,32],filters[1]=48,name=adam". A text assigns each
  /// value or element of a list at most once; elements after their list.
  void parse(std::string_view text);
  /// Replaces values by those of an object in JSON.
  void parseJson(std::string_view json);

  const std::vector<HParam> &values() const { return params; }
  /// Returns the values as an object in JSON, one line for each.
  std::string toJson() const;
  /// Makes hyper-parameters of the names, types and values of an object in
  /// JSON, as toJson() returns it.
  static HParams fromJson(std::string_view json);

  /// Writes toJson() to a file, which has its old contents or the new ones at
  /// any time. Throws data::DataError.
  void save(const std::string &path) const;

  bool operator==(const HParams &) const = default;

private:
  HParam *find(std::string_view name);
  const HParam *find(std::string_view name) const;
  /// Returns a hyper-parameter, or throws with the names that there are.
  HParam &require(std::string_view name);
  [[noreturn]] void throwWrongType(std::string_view name,
                                   const HParamValue &wanted) const;

  std::vector<HParam> params;
};

} // namespace tg::training

#endif // TG_TRAINING_HPARAMS_HPP
