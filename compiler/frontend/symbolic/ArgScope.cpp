//===- ArgScope.cpp - arguments of layers by name, and their scopes -------===//
#include "compiler/frontend/symbolic/Call.h"
#include "tg/symbolic/Layers.h"

#include <algorithm>

using namespace tg;
using namespace tg::dsl;
using namespace tg::symbolic;

//===----------------------------------------------------------------------===//
// Names of arguments
//===----------------------------------------------------------------------===//

static bool hasArgument(const Definition &layer, const std::string &name) {
  const std::vector<std::string> &names = layer.registration.arguments;
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns the current name of an argument given by its old name, and any other
/// name unchanged.
static std::string currentName(const Definition &layer,
                               const std::string &name) {
  static constexpr const char *renamed[][2] = {
      {"out_channel", "filters"},
      {"kernel_shape", "kernel_size"},
      {"stride", "strides"},
      {"shape", "pool_size"},
      {"out_dim", "units"},
      {"nl", "activation"},
      {"W_init", "kernel_initializer"},
      {"b_init", "bias_initializer"},
      {"use_bias", "center"},
      {"use_scale", "scale"},
      {"gamma_init", "gamma_initializer"},
      {"decay", "momentum"},
      {"use_local_stat", "training"}};
  if (!layer.takesOldNames || hasArgument(layer, name))
    return name;
  for (const auto &[old, current] : renamed)
    if (name == old && hasArgument(layer, current))
      return current;
  return name;
}

/// Returns the arguments by their current names. Throws GraphError if one is
/// unknown or is given by both of its names.
static Arguments translate(const Definition &layer, const Arguments &given,
                           Place where) {
  Arguments translated;
  std::map<std::string, std::string> seen;
  for (const auto &[name, argument] : given.all()) {
    std::string current = currentName(layer, name);
    if (!hasArgument(layer, current))
      throw GraphError("expected an argument of layer '" + layer.name +
                           "', found '" + name + "'" +
                           suggestOf(name, layer.registration.arguments),
                       where);
    auto [other, isNew] = seen.try_emplace(current, name);
    if (!isNew)
      throw GraphError("expected one of the arguments '" + other->second +
                           "' and '" + name + "' of layer '" + layer.name +
                           "', found both",
                       where);
    translated.set(current, argument);
  }
  return translated;
}

//===----------------------------------------------------------------------===//
// Argscopes
//===----------------------------------------------------------------------===//

/// The arguments of layers, by layer name.
using ScopedArguments = std::map<std::string, Arguments>;

/// Returns the argscopes of the thread. Each includes the arguments of the
/// outer argscopes.
static std::vector<ScopedArguments> &argScopes() {
  static thread_local std::vector<ScopedArguments> scopes;
  return scopes;
}

ArgScope::ArgScope(std::initializer_list<LayerName> layers,
                   const SharedOptions &options, std::source_location where)
    : ArgScope(layers, argumentsOf(options), where) {}

ArgScope::ArgScope(std::initializer_list<LayerName> layers,
                   const Arguments &arguments, std::source_location where) {
  std::vector<ScopedArguments> &scopes = argScopes();
  ScopedArguments all = scopes.empty() ? ScopedArguments() : scopes.back();
  for (const LayerName &name : layers) {
    const Definition &layer = findLayer(name.name, where);
    Arguments translated = translate(layer, arguments, where);
    for (const auto &[argument, value] : translated.all())
      all[layer.name].set(argument, value);
  }
  scopes.push_back(std::move(all));
}

ArgScope::~ArgScope() { argScopes().pop_back(); }

Arguments ArgScope::of(const LayerName &layer) {
  const Definition *known = findLibraryLayer(layer.name);
  const std::string &name = known ? known->name : layer.name;
  std::vector<ScopedArguments> &scopes = argScopes();
  if (scopes.empty() || !scopes.back().count(name))
    return {};
  return scopes.back().at(name);
}

Arguments symbolic::mergeArguments(const Definition &layer, CallArguments given,
                                   Place where) {
  Arguments merged = ArgScope::of(layer.name);
  Arguments keyword = translate(layer, given.keyword, where);
  for (const auto &[name, value] : keyword.all())
    merged.set(name, value);
  const std::vector<std::string> &names = layer.registration.arguments;
  if (given.positional.size() > names.size())
    throw GraphError("expected at most " + std::to_string(names.size()) +
                         " arguments of layer '" + layer.name + "', found " +
                         std::to_string(given.positional.size()),
                     where);
  for (size_t i = 0; i < given.positional.size(); ++i) {
    if (keyword.has(names[i]))
      throw GraphError("expected argument '" + names[i] + "' of layer '" +
                           layer.name +
                           "' by position or by keyword, found both",
                       where);
    merged.set(names[i], std::move(given.positional[i]));
  }
  merged.layer = layer.name;
  merged.where = where;
  return merged;
}
