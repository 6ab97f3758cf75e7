// Runs the functions of a program without compiling them.
#include "Evaluator.h"
#include "compiler/frontend/text/ReadModel.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "test/dialects/tg/RunText.h"

using namespace mlir;

struct Evaluator::Impl {
  explicit Impl(const std::string &text) : module(text) {}

  Type typeOf(tg::DType dtype) {
    MLIRContext *context = &module.context;
    switch (dtype) {
#define TG_TYPE(name, front, ...)                                              \
  case tg::DType::front:                                                       \
    return tg::mlirTypeOf(tg::ElementType::name, context);
      TG_DTYPES(TG_TYPE)
#undef TG_TYPE
    }
    return {};
  }

  tg::HostTensor convert(const Elements &elements) {
    tg::HostTensor tensor(typeOf(elements.dtype), elements.shape);
    tg::visitElementType(tensor.getElementType(), [&](auto zero) {
      using Number = decltype(zero);
      for (auto [number, value] :
           llvm::zip(tensor.values<Number>(), elements.values))
        number = static_cast<Number>(value);
    });
    return tensor;
  }

  RunText module;
};

Evaluator::Evaluator(const std::string &text)
    : impl(std::make_unique<Impl>(text)) {}
Evaluator::~Evaluator() = default;

std::string Evaluator::error() const { return impl->module.error; }

std::vector<Elements> Evaluator::run(const std::string &function,
                                     const std::vector<Elements> &inputs) {
  std::vector<tg::HostTensor> arguments;
  for (const Elements &input : inputs)
    arguments.push_back(impl->convert(input));
  std::vector<Elements> outputs;
  for (const tg::HostTensor &tensor : impl->module.run(function, arguments))
    outputs.push_back({numbersOf(tensor), tensor.getShape().vec()});
  return outputs;
}

void Evaluator::init(int64_t seed) {
  // A module without variables has no init.
  if (impl->module.has("init"))
    run("init", {{{double(seed)}, {}, tg::DType::i64}});
  impl->module.setSeed(seed);
}

std::string Evaluator::reprint(const std::string &text) {
  MLIRContext context;
  context.loadDialect<tg::TgDialect, func::FuncDialect>();
  llvm::SourceMgr sources;
  OwningOpRef<ModuleOp> module = tg::parseModel(
      context, sources, llvm::MemoryBuffer::getMemBufferCopy(text));
  std::string printed;
  if (!module)
    return printed;
  llvm::raw_string_ostream stream(printed);
  module->print(stream, OpPrintingFlags().enableDebugInfo());
  return printed;
}
