//===- CopyKernelTest.cpp - copies of bytes by threads --------------------===//
#include "ThreadMachine.h"
#include "compiler/codegen/cuda/CudaBackend.h"
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace tg;
using namespace tg::test;

namespace {
/// A test with the kernel that copies.
class CopyKernel : public CudaTest {
protected:
  void SetUp() override {
    CudaTest::SetUp();
    DialectRegistry registry;
    CudaBackend().registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    FailureOr<DeviceImage> image =
        CudaBackend().compile(*module, {}, cudaTarget());
    ASSERT_TRUE(succeeded(image));
    function = kernel(image->code, image->copy.entry.c_str());
    threads = image->copy.threads;
    blockThreads = image->copy.blockThreads;
  }

  /// Copies bytes from and to distances after aligned addresses. Expects that
  /// all other bytes stay. Without a source, the bytes become 0.
  void check(size_t bytes, size_t from, size_t to, bool hasSource = true);

  MLIRContext context;
  CUfunction function = nullptr;
  AffineMap threads;
  unsigned blockThreads = 0;
};
} // namespace

void CopyKernel::check(size_t bytes, size_t from, size_t to, bool hasSource) {
  SCOPED_TRACE(std::to_string(bytes) + " bytes from " + std::to_string(from) +
               " to " + std::to_string(to));
  constexpr size_t kAround = 32;
  std::vector<uint8_t> source(bytes + kAround), expected(bytes + kAround, 0xaa);
  std::iota(source.begin(), source.end(), 1);
  Buffer sourceMemory(source.size()), target(expected.size());
  sourceMemory.put(source);
  target.put(expected);
  for (size_t i = 0; i < bytes; ++i)
    expected[to + i] = hasSource ? source[from + i] : 0;
  Buffer report(16);
  report.put(std::vector<int64_t>(2, std::numeric_limits<int64_t>::max()));
  AffineExpr count = threads.getResult(0).replaceSymbols(
      getAffineConstantExpr(bytes, &context));
  unsigned blocks = llvm::divideCeil(*staticExtent(count), blockThreads);
  run(function, blocks, blockThreads,
      {hasSource ? sourceMemory.address + from : 0, target.address + to, bytes,
       report.address, /*launch=*/1});
  EXPECT_EQ(target.take<uint8_t>(expected.size()), expected);
}

TEST_F(CopyKernel, CopiesAnyBytesBetweenAnyAddresses) {
  for (size_t bytes : {1, 15, 16, 17, 100, 2047, 2048, 2049, 5000}) {
    check(bytes, 0, 0);
    check(bytes, 16, 0);
    check(bytes, 4, 0);
    check(bytes, 0, 1);
    check(bytes, 3, 3);
  }
}

TEST_F(CopyKernel, ClearsBytesWithoutASource) {
  for (size_t bytes : {1, 16, 31, 2048, 4100}) {
    check(bytes, 0, 0, /*hasSource=*/false);
    check(bytes, 0, 5, /*hasSource=*/false);
  }
}
