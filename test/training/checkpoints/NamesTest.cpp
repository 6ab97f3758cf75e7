//===- NamesTest.cpp - Names of checkpoints -------------------------------===//

#include "test/data/Errors.h"
#include "test/data/Files.h"
#include "tg/training/checkpoints.hpp"

using namespace tg::training;

namespace {

using CheckpointNamesTest = tg::data::FilesTest;

TEST_F(CheckpointNamesTest, AreSortedByStep) {
  for (uint64_t step : {9, 120, 0, 30})
    std::ofstream(checkpointPath(directory, step)).flush();
  EXPECT_EQ(checkpointSteps(directory), (std::vector<uint64_t>{120, 30, 9, 0}));
  EXPECT_TRUE(std::filesystem::exists(path("checkpoint-120.safetensors")));
}

TEST_F(CheckpointNamesTest, AreExact) {
  for (const char *name :
       {"checkpoint-.safetensors", "checkpoint-01.safetensors",
        "checkpoint-+1.safetensors", "checkpoint-1.safetensors.tmp",
        "checkpoint-1x.safetensors",
        "checkpoint-18446744073709551616.safetensors",
        "xcheckpoint-1.safetensors", "checkpoint-1", "events"})
    write(name, "");
  EXPECT_TRUE(checkpointSteps(directory).empty());
}

TEST_F(CheckpointNamesTest, DirectoryIsMissing) {
  EXPECT_EQ(tg::data::errorOf([&] { checkpointSteps(path("none")); }),
            path("none") + ": No such file or directory");
}

} // namespace
