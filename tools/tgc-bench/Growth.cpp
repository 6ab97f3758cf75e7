//===- Growth.cpp - the compiler's time over the size of a model ----------===//
#include "Growth.h"
#include "Workloads.h"
#include "compiler/driver/Pipeline.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tg;
using namespace tg::bench;

/// Writes a module with one function of one input; `body` computes %y from it.
static std::string writeModule(const std::string &body) {
  const std::string type = "tensor<64x64xf32>";
  return "module {\n  func.func @test(%x0: " + type +
         " {tg.name = \"x\"}) -> (" + type + " {tg.name = \"y\"}) {\n" + body +
         "    return %y : " + type + "\n  }\n}\n";
}

/// Writes a chain in which each op reads the previous one.
static std::string writeChain(int64_t count) {
  std::string body;
  for (int64_t op = 1; op <= count; ++op)
    body += "    %" + (op == count ? "y" : "x" + std::to_string(op)) +
            " = tg." + (op % 2 ? "tanh" : "abs") + " %x" +
            std::to_string(op - 1) + " : tensor<64x64xf32>\n";
  return writeModule(body);
}

/// Writes many column sums. Each is of the same matrix times a different
/// constant.
static std::string writeWide(int64_t count) {
  const std::string full = "tensor<64x64xf32>", row = "tensor<64xf32>";
  std::string body = "    %v = tg.tanh %x0 : " + full + "\n";
  std::string sum = "%s0";
  for (int64_t op = 0; op < count; ++op) {
    std::string n = std::to_string(op);
    body += "    %c" + n + " = tg.constant dense<" + n + ".5> : tensor<f32>\n";
    body += "    %p" + n + " = tg.mul %v, %c" + n + " : (" + full +
            ", tensor<f32>) -> " + full + "\n";
    body += "    %s" + n + " = tg.reduce_sum %p" + n + " {axes = [0]} : (" +
            full + ") -> " + row + "\n";
    if (op == 0)
      continue;
    body += "    %t" + n + " = tg.add " + sum + ", %s" + n + " : (" + row +
            ", " + row + ") -> " + row + "\n";
    sum = "%t" + n;
  }
  return writeModule(body + "    %y = tg.add %x0, " + sum + " : (" + full +
                     ", " + row + ") -> " + full + "\n");
}

/// Writes columns of different lengths that are live at the same time. Their
/// lifetimes do not end in the order in which they begin.
static std::string writeBuffers(int64_t count) {
  const std::string full = "tensor<64x64xf32>", one = "tensor<1x1xf32>";
  auto typeOf = [](int64_t op) {
    return "tensor<" + std::to_string(1 + op * 7919 % 65537) + "x1xf32>";
  };
  std::string body = "    %t0 = tg.reduce_sum %x0 {keep_dims} : (" + full +
                     ") -> " + one + "\n";
  for (int64_t op = 0; op < count; ++op) {
    std::string n = std::to_string(op);
    std::string type = typeOf(op);
    body += "    %c" + n + " = tg.constant dense<0.5> : " + type + "\n";
    body += "    %p" + n + " = tg.mul %c" + n + ", %t0 : (" + type + ", " +
            one + ") -> " + type + "\n";
    body +=
        "    %s" + n + " = tg.softmax %p" + n + " {axis = 0} : " + type + "\n";
  }
  for (int64_t op = 0; op < count; ++op) {
    int64_t other = op % 2 ? op / 2 : count - 1 - op / 2;
    std::string n = std::to_string(op);
    std::string column = "%s" + std::to_string(other);
    std::string type = typeOf(other);
    body += "    %m" + n + " = tg.matmul " + column + ", " + column +
            " {transpose_lhs} : (" + type + ", " + type + ") -> " + one + "\n";
    body += "    %t" + std::to_string(op + 1) + " = tg.add %t" + n + ", %m" +
            n + " : (" + one + ", " + one + ") -> " + one + "\n";
  }
  return writeModule(body + "    %y = tg.add %x0, %t" + std::to_string(count) +
                     " : (" + full + ", " + one + ") -> " + full + "\n");
}

/// Writes a training step with Adam.
static std::string writeTraining(int64_t layers) {
  Workload workload;
  workload.name = "training";
  workload.sizes.assign(layers + 1, 64);
  workload.classes = 64;
  Row row{&workload, /*train=*/true, /*batch=*/32};
  return programOf(row, row.inputRows());
}

/// Returns the seconds of all phases; none if the program does not compile.
static std::optional<std::vector<PhaseTime>>
timePhases(const std::string &program, int optimization) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>(program, ParserConfig(&context));
  CompileOptions options;
  options.stopAfter = Phase::schedule;
  options.optimization = optimization;
  CompileResult result;
  if (!module || failed(compileModule(*module, options, result)))
    return std::nullopt;
  return result.times;
}

/// Prints one line: a model's kind and size, and the seconds of each phase.
static void print(llvm::StringRef kind, int64_t size,
                  llvm::ArrayRef<PhaseTime> times, bool json) {
  double total = 0;
  for (const PhaseTime &time : times)
    total += time.seconds;
  llvm::raw_ostream &stream = llvm::outs();
  if (json)
    stream << "{\"model\":\"" << kind << "\",\"size\":" << size;
  else
    stream << llvm::format("%-8s %7lld", kind.data(), (long long)size);
  for (const PhaseTime &time : times)
    stream << llvm::format(json ? ",\"%s\":%.3f" : "  %s %.3f",
                           time.phase.c_str(), time.seconds);
  stream << llvm::format(json ? ",\"total\":%.3f}\n" : "  total %.3f\n", total);
  stream.flush();
}

bool tg::bench::measureGrowth(int64_t ops, int optimization, bool json) {
  struct Model {
    const char *kind;
    std::string (*write)(int64_t);
    int64_t size;
  } models[] = {{"chain", writeChain, ops},
                {"wide", writeWide, std::max<int64_t>(ops / 5, 1)},
                {"buffers", writeBuffers, std::max<int64_t>(ops / 5, 1)},
                {"training", writeTraining, std::max<int64_t>(ops / 100, 1)}};
  for (const Model &model : models)
    for (int64_t size : {model.size, 2 * model.size, 4 * model.size}) {
      std::optional<std::vector<PhaseTime>> times =
          timePhases(model.write(size), optimization);
      if (!times)
        return false;
      print(model.kind, size, *times, json);
    }
  return true;
}
