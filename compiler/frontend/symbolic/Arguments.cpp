//===- Arguments.cpp - typed arguments by name ----------------------------===//
#include "compiler/frontend/graph/Elements.h"
#include "compiler/frontend/symbolic/Fields.h"
#include "tg/tensor/error.h"

#include <algorithm>
#include <variant>

using namespace tg;
using namespace tg::symbolic;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

struct Argument::Value : std::variant<bool, int64_t, double, std::string, Sizes,
                                      std::vector<double>, Padding, Initializer,
                                      Tensor, Activation> {
  using variant::variant;
};

Argument::Argument(bool flag) : value(std::make_shared<Value>(flag)) {}
Argument::Argument(int64_t number) : value(std::make_shared<Value>(number)) {}
Argument::Argument(double number) : value(std::make_shared<Value>(number)) {}
Argument::Argument(const char *word) : Argument(std::string(word)) {}
Argument::Argument(std::string word)
    : value(std::make_shared<Value>(std::move(word))) {}
Argument::Argument(Sizes sizes)
    : value(std::make_shared<Value>(std::move(sizes))) {}
Argument::Argument(std::initializer_list<int64_t> sizes)
    : Argument(Sizes(sizes)) {}
Argument::Argument(std::vector<double> numbers)
    : value(std::make_shared<Value>(std::move(numbers))) {}
Argument::Argument(Padding padding)
    : value(std::make_shared<Value>(std::move(padding))) {}
Argument::Argument(Initializer initializer)
    : value(std::make_shared<Value>(std::move(initializer))) {}
Argument::Argument(Tensor tensor)
    : value(std::make_shared<Value>(std::move(tensor))) {}
Argument::Argument(Tensor (*function)(Operand))
    : Argument(Activation(function)) {}
Argument::Argument(Activation activation)
    : value(std::make_shared<Value>(std::move(activation))) {}

/// Returns the value of an argument if it has this type, otherwise null.
template <typename T> static const T *heldIn(const Argument &argument) {
  return argument.value ? std::get_if<T>(argument.value.get()) : nullptr;
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

Arguments::Arguments() = default;
Arguments::Arguments(std::initializer_list<Pair> given) : pairs(given) {}
Arguments::Arguments(const Arguments &) = default;
Arguments::Arguments(Arguments &&) = default;
Arguments &Arguments::operator=(const Arguments &) = default;
Arguments &Arguments::operator=(Arguments &&) = default;
Arguments::~Arguments() = default;

const Argument *Arguments::find(const std::string &name) const {
  for (const Pair &pair : pairs)
    if (pair.first == name && pair.second.value)
      return &pair.second;
  return nullptr;
}

void Arguments::set(const std::string &name, Argument argument) {
  for (Pair &pair : pairs)
    if (pair.first == name) {
      pair.second = std::move(argument);
      return;
    }
  pairs.emplace_back(name, std::move(argument));
}

void Arguments::remove(const std::string &name) {
  std::erase_if(pairs, [&](const Pair &pair) { return pair.first == name; });
}

//===----------------------------------------------------------------------===//
// From arguments to types
//===----------------------------------------------------------------------===//

namespace {
/// Converts an argument to a type. `expected` is the name of the type in
/// messages. `read` returns an empty optional if the argument is not
/// convertible.
template <typename T> struct Reader;

/// Converts an argument that holds a value of exactly this type.
template <typename T> std::optional<T> held(const Argument &argument) {
  const T *found = heldIn<T>(argument);
  return found ? std::optional<T>(*found) : std::optional<T>();
}

template <> struct Reader<bool> {
  static constexpr const char *expected = "true or false";
  static auto read(const Argument &argument) { return held<bool>(argument); }
};
template <> struct Reader<int64_t> {
  static constexpr const char *expected = "a whole number";
  static std::optional<int64_t> read(const Argument &argument) {
    const Sizes *sizes = heldIn<Sizes>(argument);
    if (sizes && sizes->numbers.size() == 1)
      return sizes->numbers.front();
    return held<int64_t>(argument);
  }
};
template <> struct Reader<double> {
  static constexpr const char *expected = "a number";
  static std::optional<double> read(const Argument &argument) {
    if (std::optional<int64_t> whole = Reader<int64_t>::read(argument))
      return static_cast<double>(*whole);
    return held<double>(argument);
  }
};
template <> struct Reader<std::string> {
  static constexpr const char *expected = "a word";
  static auto read(const Argument &argument) {
    return held<std::string>(argument);
  }
};
template <> struct Reader<Sizes> {
  static constexpr const char *expected = "a whole number or a list of them";
  static std::optional<Sizes> read(const Argument &argument) {
    if (std::optional<int64_t> whole = held<int64_t>(argument))
      return Sizes(*whole);
    return held<Sizes>(argument);
  }
};
template <> struct Reader<std::vector<double>> {
  static constexpr const char *expected = "a list of numbers";
  static std::optional<std::vector<double>> read(const Argument &argument) {
    if (std::optional<Sizes> whole = Reader<Sizes>::read(argument))
      return std::vector<double>(whole->numbers.begin(), whole->numbers.end());
    return held<std::vector<double>>(argument);
  }
};
template <> struct Reader<Initializer> {
  static constexpr const char *expected = "an initializer or a number";
  static std::optional<Initializer> read(const Argument &argument) {
    if (std::optional<double> number = Reader<double>::read(argument))
      return Initializer(*number);
    return held<Initializer>(argument);
  }
};
template <> struct Reader<Tensor> {
  static constexpr const char *expected = "a tensor";
  static auto read(const Argument &argument) { return held<Tensor>(argument); }
};
template <> struct Reader<Operand> {
  static constexpr const char *expected = "a number or a tensor";
  static std::optional<Operand> read(const Argument &argument) {
    if (std::optional<double> number = Reader<double>::read(argument))
      return Operand(*number);
    std::optional<Tensor> tensor = held<Tensor>(argument);
    return tensor ? std::optional<Operand>(*tensor) : std::optional<Operand>();
  }
};
template <> struct Reader<Activation> {
  static constexpr const char *expected = "a function of a tensor";
  static auto read(const Argument &argument) {
    return held<Activation>(argument);
  }
};
template <> struct Reader<Regularizer> {
  static constexpr const char *expected = "a function of a variable";
  static std::optional<Regularizer> read(const Argument &argument) {
    std::optional<Activation> function = held<Activation>(argument);
    if (!function)
      return {};
    if (!*function)
      return Regularizer();
    return Regularizer(
        [penalty = *function](Tensor weight) { return penalty(weight); });
  }
};

/// Returns a string argument in lower case, or "" if the argument is not a
/// string.
std::string wordOf(const Argument &argument) {
  std::string word = held<std::string>(argument).value_or("");
  for (char &letter : word)
    letter = letter >= 'A' && letter <= 'Z' ? char(letter + 'a' - 'A') : letter;
  return word;
}

template <> struct Reader<Padding> {
  static constexpr const char *expected = "\"same\" or \"valid\"";
  static std::optional<Padding> read(const Argument &argument) {
    std::string word = wordOf(argument);
    if (word == "same" || word == "valid")
      return Padding(word == "same" ? Padding::same : Padding::valid);
    return held<Padding>(argument);
  }
};
template <> struct Reader<DataFormat> {
  static constexpr const char *expected =
      "\"NHWC\", \"NCHW\", \"channels_last\" or \"channels_first\"";
  static std::optional<DataFormat> read(const Argument &argument) {
    std::string word = wordOf(argument);
    if (word == "nhwc" || word == "channels_last")
      return NHWC;
    if (word == "nchw" || word == "channels_first")
      return NCHW;
    return {};
  }
};
template <> struct Reader<EmaUpdate> {
  static constexpr const char *expected =
      "\"default\", \"collection\", \"internal\" or \"skip\"";
  static std::optional<EmaUpdate> read(const Argument &argument) {
    std::string word = wordOf(argument);
    if (word == "default" || word == "collection")
      return EmaUpdate::collection;
    if (word == "internal")
      return EmaUpdate::internal;
    return word == "skip" ? std::optional<EmaUpdate>(EmaUpdate::skip)
                          : std::optional<EmaUpdate>();
  }
};

/// Returns a description of an argument for messages.
std::string describe(const Argument &argument) {
  if (auto *number = heldIn<int64_t>(argument))
    return std::to_string(*number);
  if (auto *number = heldIn<double>(argument))
    return dsl::textOf(*number);
  if (auto *flag = heldIn<bool>(argument))
    return *flag ? "true" : "false";
  if (auto *word = heldIn<std::string>(argument))
    return "\"" + *word + "\"";
  return heldIn<Activation>(argument) ? "a function" : "another type";
}
} // namespace

template <typename T> T Arguments::get(const std::string &name) const {
  const Argument *argument = find(name);
  if (!argument)
    throw GraphError("expected argument '" + name + "' of layer '" + layer +
                         "', found none",
                     where);
  std::optional<T> read = Reader<T>::read(*argument);
  if (!read)
    throw GraphError("expected argument '" + name + "' of layer '" + layer +
                         "' to be " + Reader<T>::expected + ", found " +
                         describe(*argument),
                     where);
  return *std::move(read);
}

#define TG_READABLE(...)                                                       \
  template __VA_ARGS__ Arguments::get<__VA_ARGS__>(const std::string &) const;
TG_READABLE(bool)
TG_READABLE(int64_t)
TG_READABLE(double)
TG_READABLE(std::string)
TG_READABLE(Sizes)
TG_READABLE(std::vector<double>)
TG_READABLE(Padding)
TG_READABLE(DataFormat)
TG_READABLE(EmaUpdate)
TG_READABLE(Initializer)
TG_READABLE(Tensor)
TG_READABLE(Operand)
TG_READABLE(Activation)
TG_READABLE(Regularizer)
#undef TG_READABLE

//===----------------------------------------------------------------------===//
// From options to arguments
//===----------------------------------------------------------------------===//

static Argument write(const Regularizer &regularizer) {
  return regularizer ? Argument(regularizer) : Argument(Activation());
}
static Argument write(DataFormat format) {
  return format == NHWC ? "NHWC" : "NCHW";
}
static Argument write(EmaUpdate update) {
  return update == EmaUpdate::internal ? "internal"
         : update == EmaUpdate::skip   ? "skip"
                                       : "collection";
}
static Argument write(const Operand &operand) {
  return operand.isNumber() ? Argument(operand.number())
                            : Argument(operand.tensor());
}
static Argument write(const auto &value) { return Argument(value); }

template <typename T>
static void add(Arguments &arguments, const char *name,
                const std::optional<T> &field) {
  if (field)
    arguments.set(name, write(*field));
}
static void add(Arguments &arguments, const char *name, const Sizes &field) {
  if (!field.numbers.empty())
    arguments.set(name, field);
}
static void add(Arguments &arguments, const char *name,
                const std::vector<double> &field) {
  if (!field.empty())
    arguments.set(name, field);
}

template <typename Options> static Arguments listOf(const Options &options) {
  Arguments arguments;
  Fields<Options>::of(options, [&](const char *name, const auto &field) {
    add(arguments, name, field);
  });
  return arguments;
}

#define TG_LISTED(OPTIONS)                                                     \
  Arguments symbolic::argumentsOf(const OPTIONS &options) {                    \
    return listOf(options);                                                    \
  }
TG_LISTED(SharedOptions)
TG_LISTED(Conv2DOptions)
TG_LISTED(Conv2DTransposeOptions)
TG_LISTED(FullyConnectedOptions)
TG_LISTED(PoolingOptions)
TG_LISTED(GlobalAvgPoolingOptions)
TG_LISTED(FixedUnPoolingOptions)
TG_LISTED(BatchNormOptions)
TG_LISTED(BatchRenormOptions)
TG_LISTED(LayerNormOptions)
TG_LISTED(InstanceNormOptions)
TG_LISTED(MaxoutOptions)
TG_LISTED(PReLUOptions)
TG_LISTED(DropoutOptions)
TG_LISTED(NoOptions)
#undef TG_LISTED
