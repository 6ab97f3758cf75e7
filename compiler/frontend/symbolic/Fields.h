//===- Fields.h - argument names of the options of symbolic layers --------===//
#ifndef TG_COMPILER_FRONTEND_SYMBOLIC_FIELDS_H
#define TG_COMPILER_FRONTEND_SYMBOLIC_FIELDS_H

#include "tg/symbolic/Layers.h"

namespace tg::symbolic {

/// Calls visit(name, field) for each option of a layer, where `name` is the
/// name of the argument. Options that may be positional arguments come first.
template <typename Options> struct Fields;

/// Visits the options that layers with a weight and a bias share.
template <typename Options, typename Visitor>
void visitWeights(Options &options, Visitor &&visit) {
  visit("activation", options.activation);
  visit("use_bias", options.useBias);
  visit("kernel_initializer", options.kernelInitializer);
  visit("bias_initializer", options.biasInitializer);
  visit("kernel_regularizer", options.kernelRegularizer);
  visit("bias_regularizer", options.biasRegularizer);
  visit("activity_regularizer", options.activityRegularizer);
}

/// Visits the options that normalizing layers share.
template <typename Options, typename Visitor>
void visitScale(Options &options, Visitor &&visit) {
  visit("epsilon", options.epsilon);
  visit("center", options.center);
  visit("scale", options.scale);
  visit("gamma_initializer", options.gammaInitializer);
  visit("data_format", options.dataFormat);
}

/// Visits the options that convolutions share.
template <typename Options, typename Visitor>
void visitWindows(Options &options, Visitor &&visit) {
  visit("filters", options.filters);
  visit("kernel_size", options.kernelSize);
  visit("strides", options.strides);
  visit("padding", options.padding);
  visit("data_format", options.dataFormat);
}

/// Defines Fields of options. The body uses `options` and `visit`.
#define TG_FIELDS(OPTIONS, ...)                                                \
  template <> struct Fields<OPTIONS> {                                         \
    static void of(auto &options, auto &&visit) { __VA_ARGS__ }                \
  };

TG_FIELDS(Conv2DOptions, visitWindows(options, visit);
          visit("dilation_rate", options.dilationRate);
          visitWeights(options, visit); visit("split", options.split);)
TG_FIELDS(Conv2DTransposeOptions, visitWindows(options, visit);
          visitWeights(options, visit);)
TG_FIELDS(FullyConnectedOptions, visit("units", options.units);
          visitWeights(options, visit);)
TG_FIELDS(PoolingOptions, visit("pool_size", options.poolSize);
          visit("strides", options.strides); visit("padding", options.padding);
          visit("data_format", options.dataFormat);)
TG_FIELDS(GlobalAvgPoolingOptions, visit("data_format", options.dataFormat);)
TG_FIELDS(FixedUnPoolingOptions, visit("shape", options.shape);
          visit("unpool_mat", options.unpoolMat);
          visit("data_format", options.dataFormat);)
TG_FIELDS(BatchNormOptions, visit("axis", options.axis);
          visit("training", options.training);
          visit("momentum", options.momentum); visitScale(options, visit);
          visit("beta_initializer", options.betaInitializer);
          visit("virtual_batch_size", options.virtualBatchSize);
          visit("ema_update", options.emaUpdate);)
TG_FIELDS(BatchRenormOptions, visit("rmax", options.rmax);
          visit("dmax", options.dmax); visit("momentum", options.momentum);
          visitScale(options, visit);)
TG_FIELDS(LayerNormOptions, visitScale(options, visit);)
TG_FIELDS(InstanceNormOptions, visitScale(options, visit);)
TG_FIELDS(MaxoutOptions, visit("num_unit", options.numUnit);)
TG_FIELDS(PReLUOptions, visit("init", options.init);)
TG_FIELDS(DropoutOptions, visit("keep_prob", options.keepProb);
          visit("rate", options.rate);)
TG_FIELDS(SharedOptions, visitWindows(options, visit);
          visit("units", options.units); visit("pool_size", options.poolSize);
          visitWeights(options, visit); visit("center", options.center);
          visit("scale", options.scale); visit("momentum", options.momentum);
          visit("epsilon", options.epsilon);
          visit("gamma_initializer", options.gammaInitializer);)
#undef TG_FIELDS
template <> struct Fields<NoOptions> {
  static void of(auto &, auto &&) {}
};

/// Returns the argument names of the options.
template <typename Options> std::vector<std::string> namesOf() {
  std::vector<std::string> names;
  Options none;
  Fields<Options>::of(none,
                      [&](const char *name, auto &) { names.push_back(name); });
  return names;
}

/// The value type of an option.
template <typename Field> struct Held {
  using Type = Field;
};
template <typename T> struct Held<std::optional<T>> {
  using Type = T;
};
template <> struct Held<OptionalActivation> {
  using Type = Activation;
};

/// Returns the options that the arguments specify.
template <typename Options> Options optionsOf(const Arguments &arguments) {
  Options options;
  Fields<Options>::of(options, [&](const char *name, auto &field) {
    using T = typename Held<std::remove_cvref_t<decltype(field)>>::Type;
    if (arguments.has(name))
      field = arguments.get<T>(name);
  });
  return options;
}

} // namespace tg::symbolic

#endif // TG_COMPILER_FRONTEND_SYMBOLIC_FIELDS_H
