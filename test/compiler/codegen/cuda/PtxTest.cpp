//===- PtxTest.cpp - the instructions of emitted PTX ----------------------===//
#include "compiler/codegen/cuda/Ptx.h"
#include "RowKernels.h"
#include "compiler/codegen/Backend.h"
#include "compiler/codegen/cuda/LegalOps.h"
#include "dialects/tg/Tg.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tg;
using namespace tg::test;

/// Returns the opcode of a line of PTX with its modifiers, such as
/// "add.rn.f32"; empty for lines without an instruction.
static StringRef opcodeOf(StringRef line) {
  line = line.trim();
  if (line.starts_with("@"))
    line = line.split(' ').second.ltrim();
  StringRef opcode = line.split(' ').first.split('\t').first;
  return llvm::isAlpha(line.empty() ? ' ' : line.front()) && line.ends_with(";")
             ? opcode
             : StringRef();
}

/// Returns true if an instruction rounds to the nearest number, keeps subnormal
/// numbers, and has the bits that IEEE 754 requires.
static bool isExact(StringRef opcode) {
  SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  for (StringRef modifier : {"ftz", "approx", "full", "sat"})
    if (llvm::is_contained(parts, modifier))
      return false;
  if (parts.back() != "f32" && parts.back() != "f64")
    return true;
  bool rounds = llvm::is_contained(
      {"add", "sub", "mul", "fma", "div", "sqrt", "rcp"}, parts[0]);
  bool isKnown =
      rounds || llvm::is_contained({"mov", "ld", "st", "setp", "selp", "abs",
                                    "neg", "min", "max", "copysign", "cvt"},
                                   parts[0]);
  return isKnown && (!rounds || parts[1] == "rn");
}

/// Returns the instructions that are not exact.
static std::string findInexact(StringRef ptx) {
  std::string found;
  SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  for (StringRef line : lines)
    if (StringRef opcode = opcodeOf(line); !opcode.empty() && !isExact(opcode))
      found += opcode.str() + "\n";
  return found;
}

static Target target() {
  Target result;
  result.kind = "cuda";
  result.level = 16;
  return result;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

TEST(PtxInstructions, OfInexactArithmeticAreFound) {
  for (const char *line :
       {"\tadd.f32 \t%r1, %r2, %r3;", "\tmul.rn.ftz.f32 %r1, %r2, %r3;",
        "@%p1 div.full.f32 %r1, %r2, %r3;", "sqrt.approx.f32 %r1, %r2;",
        "ex2.approx.f32 %r1, %r2;", "mad.rn.f32 %r1, %r2, %r3, %r4;",
        "fma.rz.f64 %rd1, %rd2, %rd3, %rd4;"})
    EXPECT_NE(findInexact(line), "") << line;
  for (const char *line :
       {"\tadd.rn.f32 \t%r1, %r2, %r3;", "max.NaN.f32 %r1, %r2, %r3;",
        "$L__BB0_2:", "// add.f32 %r1, %r2, %r3;", "add.s64 %rd1, %rd2, %rd3;",
        ".reg .f32 %f<3>;"})
    EXPECT_EQ(findInexact(line), "") << line;
}

class PtxOfRows : public testing::TestWithParam<RowCase> {};

TEST_P(PtxOfRows, IsExactAndTheSameEachTime) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = scheduleRow(GetParam(), context);
  ASSERT_TRUE(module);
  auto kernels =
      llvm::to_vector_of<tgx::KernelOp>(module->getOps<tgx::KernelOp>());
  if (kernels.empty())
    return;
  const Backend *backend = findBackend("cuda");
  FailureOr<DeviceImage> image =
      backend->getDeviceCode()->compile(*module, kernels, target());
  ASSERT_TRUE(succeeded(image));
  EXPECT_TRUE(StringRef(image->code).contains(".version 7.0"));
  EXPECT_TRUE(StringRef(image->code).contains(".target sm_80"));
  EXPECT_EQ(findInexact(image->code), "");
  for (const KernelLaunch &launch : image->launches)
    EXPECT_TRUE(StringRef(image->code)
                    .contains(".visible .entry " + launch.entry + "("));
  EXPECT_EQ(backend->getDeviceCode()->compile(*module, kernels, target())->code,
            image->code);
}

INSTANTIATE_TEST_SUITE_P(Rows, PtxOfRows, testing::ValuesIn(listRowCases()),
                         [](const testing::TestParamInfo<RowCase> &info) {
                           return info.param.getName();
                         });

//===----------------------------------------------------------------------===//
// The back end
//===----------------------------------------------------------------------===//

/// Code is scalar, and products read unpacked matrices.
TEST(PtxBackend, DescribesATargetWithoutVectors) {
  ASSERT_NE(findBackend("cuda"), nullptr);
  TargetDescription description = findBackend("cuda")->describe(target());
  EXPECT_EQ(description.lanes(4), 1u);
  EXPECT_EQ(description.panelBytes, 0);
  EXPECT_TRUE(description.fusesProducts);
}

/// The parameters of a kernel have 4 KiB.
TEST(PtxBackend, RefusesTooManyParameters) {
  std::string arguments, messages;
  for (int i = 0; i < 509; ++i)
    arguments += (i ? ", %x" : "%x") + std::to_string(i) + ": tensor<2xf32>";
  std::string text = "tgx.kernel @k loop(" + arguments + R"() {
      %0 = tg.relu %x0 : tensor<2xf32>
      tgx.yield %0 : tensor<2xf32>
    })";
  MLIRContext context;
  context.loadDialect<TgDialect, tgx::TgxDialect>();
  DialectRegistry registry;
  findBackend("cuda")->registerDialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    messages += diagnostic.str();
    return success();
  });
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  auto kernel = *module->getOps<tgx::KernelOp>().begin();
  EXPECT_TRUE(failed(findBackend("cuda")->getDeviceCode()->compile(
      *module, kernel, target())));
  EXPECT_TRUE(StringRef(messages).contains("found 513")) << messages;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

TEST(PtxNames, HaveLettersThatPtxAllows) {
  EXPECT_EQ(ptxNameOf("relu_2__train"), "relu_2__train");
  EXPECT_EQ(ptxNameOf("train.relu"), "train$2Erelu");
  EXPECT_EQ(ptxNameOf("2nd"), "$32nd");
  EXPECT_EQ(ptxNameOf("_x$"), "$5Fx$24");
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Returns the messages about a module in the LLVM dialect.
static std::string verifyLegality(StringRef body) {
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect>();
  std::string messages;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(messages)
        << diagnostic.getLocation() << ": " << diagnostic.str();
    return success();
  });
  auto module = parseSourceString<ModuleOp>(body, &context);
  EXPECT_TRUE(module);
  bool isLegal = module && succeeded(verifyLegalOps(*module));
  EXPECT_EQ(isLegal, messages.empty());
  return messages;
}

TEST(PtxLegality, OpsOfTheListPass) {
  EXPECT_EQ(verifyLegality(R"(
    llvm.func @k(%x: i64, %y: f32) {
      %0 = llvm.inttoptr %x : i64 to !llvm.ptr<1>
      %1 = llvm.load %0 : !llvm.ptr<1> -> f32
      %2 = llvm.intr.fma(%1, %y, %y) : (f32, f32, f32) -> f32
      llvm.store %2, %0 : f32, !llvm.ptr<1>
      llvm.return
    })"),
            "");
}

/// Shared memory, numbers of other threads, and waiting for them.
TEST(PtxLegality, TeamsOfThreadsPass) {
  EXPECT_EQ(verifyLegality(R"(
    llvm.mlir.global internal @array() {addr_space = 3 : i32} : !llvm.array<64 x f32>
    llvm.func @k(%x: i32, %y: f32) {
      %0 = llvm.mlir.addressof @array : !llvm.ptr<3>
      llvm.store %y, %0 : f32, !llvm.ptr<3>
      llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%x) : (i32) -> ()
      llvm.call_intrinsic "llvm.nvvm.bar.warp.sync"(%x) : (i32) -> ()
      %1 = llvm.call_intrinsic "llvm.nvvm.shfl.sync.down.i32"(%x, %x, %x, %x) : (i32, i32, i32, i32) -> i32
      llvm.return
    })"),
            "");
}

TEST(PtxLegality, AtomicsOfIntegersAndBarriersPass) {
  EXPECT_EQ(verifyLegality(R"(
    llvm.func @k(%p: !llvm.ptr<1>, %x: i64, %n: i32) {
      %0 = llvm.cmpxchg %p, %x, %x monotonic monotonic : !llvm.ptr<1>, i64
      %1 = llvm.extractvalue %0[0] : !llvm.struct<(i64, i1)>
      %2 = llvm.atomicrmw add %p, %1 monotonic : !llvm.ptr<1>, i64
      llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"(%n) : (i32) -> ()
      llvm.return
    })"),
            "");
}

TEST(PtxLegality, OtherIntrinsicsAreDiagnosed) {
  const char *exit = R"(llvm.func @k() {
      llvm.call_intrinsic "llvm.nvvm.exit"() : () -> ()
      llvm.return
    })";
  EXPECT_TRUE(StringRef(verifyLegality(exit))
                  .contains("expected an op that has a form in PTX"));
}

TEST(PtxLegality, OtherOpsAreDiagnosed) {
  EXPECT_EQ(verifyLegality(R"(llvm.func @k(%y: f32) {
      %0 = llvm.intr.sin(%y) : (f32) -> f32 loc("model.mlir":3:4)
      llvm.return
    })"),
            "loc(\"model.mlir\":3:4): 'llvm.intr.sin' op expected an op that "
            "has a form in PTX, found one that is not on the list");
}

TEST(PtxLegality, OtherTypesAreDiagnosed) {
  const char *wide = R"(llvm.func @k(%y: i128) {
      %0 = llvm.udiv %y, %y : i128
      llvm.return
    })";
  EXPECT_TRUE(StringRef(verifyLegality(wide)).contains("found 'i128'"));
  const char *vector = R"(llvm.func @k(%y: vector<[4]xf32>) {
      %0 = llvm.fadd %y, %y : vector<[4]xf32>
      llvm.return
    })";
  EXPECT_TRUE(
      StringRef(verifyLegality(vector)).contains("found 'vector<[4]xf32>'"));
}

TEST(PtxLegality, OtherAtomicsAreDiagnosed) {
  const char *exchange = R"(llvm.func @k(%p: !llvm.ptr<1>, %x: i64) {
      %0 = llvm.atomicrmw xchg %p, %x acq_rel : !llvm.ptr<1>, i64
      llvm.return
    })";
  EXPECT_TRUE(StringRef(verifyLegality(exchange))
                  .contains("expected an op that has a form in PTX"));
  // The order of the additions would be open.
  const char *addition = R"(llvm.func @k(%p: !llvm.ptr<1>, %x: f32) {
      %0 = llvm.atomicrmw fadd %p, %x monotonic : !llvm.ptr<1>, f32
      llvm.return
    })";
  EXPECT_TRUE(StringRef(verifyLegality(addition))
                  .contains("expected an op that has a form in PTX"));
  const char *narrow = R"(llvm.func @k(%p: !llvm.ptr<1>, %x: i16) {
      %0 = llvm.cmpxchg %p, %x, %x monotonic monotonic : !llvm.ptr<1>, i16
      llvm.return
    })";
  EXPECT_TRUE(
      StringRef(verifyLegality(narrow)).contains("found '!llvm.struct"));
}
