#include "support/Faults.h"

using namespace tg::test;

namespace {

/// Tests lanes that do not meet. The first line of a body is line 11.
class WarpFaultTest : public FaultTest {
protected:
  /// Expects that a kernel of one block never ends, and what the log says.
  void expectTimeout(unsigned threads, const std::string &body,
                     const std::string &reason) {
    CUfunction function = kernel(
        kernelOf(0, "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %q1, %r1, 3;\n" + body),
        "k");
    EXPECT_EQ(launch(function, 1, threads, {}), CUDA_SUCCESS);
    EXPECT_EQ(cuda.cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT) << body;
    renew();
    EXPECT_EQ(lastLine(), "kernel 'k': timeout " + reason);
  }
};

TEST_F(WarpFaultTest, LanesThatHaveEnded) {
  expectTimeout(32, "@%q1 ret;\nbar.warp.sync -1;\n",
                "lane 0 waits for lane 3 of mask 0xffffffff, which has ended "
                "in 'k', line 13, block (0, 0, 0), thread (0, 0, 0)");
}

TEST_F(WarpFaultTest, LanesThatAreNotInTheBlock) {
  expectTimeout(40, "vote.sync.ballot.b32 %r2, %q1, -1;\n",
                "lane 0 waits for lane 8 of mask 0xffffffff, which is not in "
                "the block in 'k', line 12, block (0, 0, 0), thread "
                "(32, 0, 0)");
}

TEST_F(WarpFaultTest, LanesThatWaitElsewhere) {
  expectTimeout(32, "@%q1 bar.sync 0;\n@!%q1 bar.warp.sync 0xf;\n",
                "lane 0 waits for lane 3 of mask 0xf, which waits at the "
                "barrier of line 12 in 'k', line 13, block (0, 0, 0), thread "
                "(0, 0, 0)");
  expectTimeout(4, "@%q1 bar.warp.sync 0xf;\n@!%q1 bar.warp.sync 0xf;\n",
                "lane 0 waits for lane 3 of mask 0xf, which waits at line 12 "
                "with mask 0xf in 'k', line 13, block (0, 0, 0), thread "
                "(0, 0, 0)");
}

TEST_F(WarpFaultTest, MasksThatDiffer) {
  expectTimeout(4,
                "selp.b32 %r2, 8, 15, %q1;\nbar.warp.sync %r2;\n"
                "ret;\n",
                "lane 0 waits for lane 3 of mask 0xf, which has ended in 'k', "
                "line 13, block (0, 0, 0), thread (0, 0, 0)");
  expectTimeout(4, "selp.b32 %r2, 9, 15, %q1;\nbar.warp.sync %r2;\n",
                "lane 0 waits for lane 3 of mask 0xf, which waits at line 13 "
                "with mask 0x9 in 'k', line 13, block (0, 0, 0), thread "
                "(0, 0, 0)");
}

TEST_F(WarpFaultTest, LanesOutsideOfTheirMasks) {
  expectTimeout(32, "shfl.sync.idx.b32 %r2, %r1, 0, 31, 0xe;\n",
                "lane 0 is not in its mask 0xe in 'k', line 12, block "
                "(0, 0, 0), thread (0, 0, 0)");
}

} // namespace
