/// The command line of tgc-run: its output, files and errors.
#include "test/runtime/support/Line.h"
#include "test/runtime/support/ModelFile.h"
#include "tools/common/Npy.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>
#include <unistd.h>

using namespace tg::test;

namespace {

/// The results of a run of the tool.
struct Result {
  int status;
  std::string output; // stdout, then stderr
};

class TgcRunTest : public testing::Test {
protected:
  void SetUp() override {
    directory =
        testing::TempDir() + "/tgc-run-" + std::to_string(::getpid()) + "/";
    std::filesystem::create_directory(directory);
  }
  void TearDown() override { std::filesystem::remove_all(directory); }

  /// Runs the tool, with assignments of variables of the environment.
  Result run(const std::string &arguments,
             const std::string &environment = "") {
    const std::string command = "cd " + directory + " && " + environment +
                                " " TG_TGC_RUN " " + arguments +
                                " 2>err; s=$?; cat err; exit $s";
    std::FILE *pipe = ::popen(command.c_str(), "r");
    std::string output;
    for (int c; (c = std::fgetc(pipe)) != EOF;)
      output += static_cast<char>(c);
    return {WEXITSTATUS(::pclose(pipe)), output};
  }
  Result runLine(const std::string &arguments) {
    return run(linePath + " " + arguments);
  }
  /// Writes a library with code for CPUs and for NVIDIA GPUs to pair.so.
  void writePair() {
    TrailerFields fields;
    fields.targets = 1u << TG_TARGET_X86_64_V2 | 1u << TG_TARGET_CUDA_80;
    const Bytes file = seal(readFile(TG_RAW_PAIR_SO), fields);
    ASSERT_TRUE(writeFile(directory + "pair.so", file));
  }
  void write(const std::string &name, const std::vector<float> &data,
             const std::vector<int64_t> &shape) {
    const char *bytes = reinterpret_cast<const char *>(data.data());
    std::string error;
    ASSERT_TRUE(tg::writeNpy(directory + name, {TG_DTYPE_FLOAT, 32, 1}, shape,
                             {bytes, data.size() * 4}, error))
        << error;
  }

  std::string directory;
};

} // namespace

TEST_F(TgcRunTest, listsAModel) {
  const Result result = runLine("");
  EXPECT_EQ(result.status, 0);
  for (const char *line :
       {"model line, ABI 1.4",
        "  train (x: f32 [batch, 4], target: f32 [batch], rate: f32) -> (loss: "
        "f32)\n    writes 192 bytes of variables\n",
        "    batch = 32: workspace 192 bytes, 512 FLOPs, traffic 640 bytes\n",
        "  line/weight: f32 [4], 16 bytes, parameter, trainable\n",
        "-> (joined: f32 [joined.0])"})
    EXPECT_NE(result.output.find(line), std::string::npos) << result.output;
}

TEST_F(TgcRunTest, trainsAndTestsThroughFiles) {
  write("x.npy", {1, 0, 2, 0, 0, 1, 0, 2}, {2, 4});
  write("target.npy", {4, 7}, {2});
  EXPECT_EQ(runLine("init --input seed=1 --save start.safetensors").output, "");
  const Result trained = runLine(
      "train --load start.safetensors --input x=x.npy --input "
      "target=target.npy --input rate=0.2 --repeat 500 --save t.safetensors");
  EXPECT_EQ(trained.status, 0) << trained.output;
  EXPECT_EQ(trained.output.find("loss = "), 0u) << trained.output;
  EXPECT_NE(trained.output.find("500 runs, "), std::string::npos);
  const Result tested = runLine("test --load t.safetensors --input x=x.npy "
                                "--output y=y.npy --threads 2");
  EXPECT_EQ(tested.output, "");
  tg::NpyArray y;
  std::string error;
  ASSERT_TRUE(tg::readNpy(directory + "y.npy", y, error)) << error;
  ASSERT_EQ(y.shape, std::vector<int64_t>{2});
  float values[2];
  std::memcpy(values, y.data.data(), sizeof(values));
  EXPECT_NEAR(values[0], 4, 0.1);
  EXPECT_NEAR(values[1], 7, 0.1);
  EXPECT_EQ(runLine("test --load t.safetensors --input x=x.npy").output,
            "y: f32 [2], not written\n");
  EXPECT_EQ(runLine("test --load t.safetensors --input x=x.npy --output "
                    "y=/dev/null")
                .output,
            "");
  EXPECT_EQ(runLine("test --target x86-64-v2 --load t.safetensors --input "
                    "x=x.npy")
                .status,
            0);
}

TEST_F(TgcRunTest, printsDigests) {
  EXPECT_EQ(runLine("init --input seed=1 --digest --save s.st").status, 0);
  write("x.npy", {0, 0, 0, 0}, {1, 4});
  const Result result =
      runLine("test --load s.st --input x=x.npy --output y=y.npy --digest");
  // The SHA-256 of four zero bytes.
  EXPECT_EQ(result.output.find("df3f619804a92fdb4057192dc43dd748ea778adc52bc498"
                               "ce80524c014b81119  output y: f32 [1]\n"),
            0u)
      << result.output;
  EXPECT_NE(result.output.find("  variable line/weight: f32 [4]\n"),
            std::string::npos);
  EXPECT_NE(result.output.find("  all variables\n"), std::string::npos);
}

TEST_F(TgcRunTest, refusesWhatIsWrong) {
  write("x.npy", {1, 2, 3, 4}, {1, 4});
  const auto expect = [&](const std::string &arguments,
                          const std::string &message) {
    const Result result = runLine(arguments);
    EXPECT_EQ(result.status, 1) << arguments;
    EXPECT_NE(result.output.find("tgc-run: error: " + message),
              std::string::npos)
        << result.output;
  };
  expect("tset", "TG_ERROR_NOT_FOUND: no function 'tset', expected one of ini");
  expect("test --input z=1", "TG_ERROR_NOT_FOUND: test: no input 'z'");
  expect("test --output z=z.npy", "TG_ERROR_NOT_FOUND: test: no output 'z'");
  expect("test", "TG_ERROR_NOT_FOUND: test: no input 'x' was given");
  expect("test --input x=x.npy",
         "TG_ERROR_SLAB: test: the variables have no values yet, expected "
         "--load FILE; 'init --input seed=N --save FILE' in place of 'test' "
         "makes one\n");
  expect("train --input x=x.npy --input target=x.npy --input rate=1e39",
         "TG_ERROR_DTYPE: input 'rate' is '1e39', expected a file.npy or a "
         "number in the range of type f32\n");
  expect("test --input x=x.npy --input x=x.npy",
         "TG_ERROR_COUNT: test: input 'x' is given twice\n");
  expect("test --input x=missing.npy", "TG_ERROR_IO: 'missing.npy': cannot");
  expect("init --input seed=0.5", "TG_ERROR_DTYPE: input 'seed' is '0.5'");
  expect("init --input seed=99999999999999999999", "TG_ERROR_DTYPE: ");
  expect("init --input seed=x.npy",
         "TG_ERROR_RANK: init: 'seed' has shape [1, 4], expected []");
  expect("test --load missing.st --input x=x.npy", "TG_ERROR_IO: 'missing.st'");
  expect("test --rename a --load x.st", "'a', expected --rename NAME=VALUE");
  expect("test --ignore-others", "options of --load without a file to load");
  expect("init --input seed", "'seed', expected --input NAME=VALUE");
  expect("init --repeat 0", "--repeat '0', expected a whole number from 1 to");
  expect("init --threads -1",
         "--threads '-1', expected a whole number from 0 to");
  expect("init --target v9", "--target 'v9', expected x86-64-v2");
  expect("init --nonsense", "'--nonsense' is no option, see --help\n");
  expect("init --sede 3",
         "'--sede' is no option; did you mean '--seed'?, see --help\n");
  expect("init --seed 3", "TG_ERROR_NOT_FOUND: init: no input 'seed' was "
                          "given; did you mean '--input seed=3'?");
  expect("init -xh", "'-x' is no option, see --help\n");
  expect("test --input x=x.npy --output y=a.npy --output y=b.npy",
         "TG_ERROR_COUNT: test: output 'y' is requested twice");
  for (const char *name : {"y.txt", "y", "y.npy.gz", "y.npz"})
    expect("test --input x=x.npy --output y=" + std::string(name),
           "--output 'y=" + std::string(name) +
               "', expected a file that ends in .npy, the format that is "
               "written, see --help\n");
  EXPECT_FALSE(std::filesystem::exists(directory + "y.txt"));
  expect("init --input seed=1 --save /dev/null",
         "TG_ERROR_IO: '/dev/null' is not a regular file");
  expect("test --load a.st --load b.st", "'--load' is given twice");
  expect("init --input", "'--input' lacks its value");
  expect("a b", "3 arguments, expected MODEL.so [FUNCTION]");
  expect("--repeat 2", "options without a function to run");
  for (const char *device : {"gpu", "cuda:", "cuda:-1", "cuda:x", "cpu:0", ""})
    expect("init --device=" + std::string(device),
           "--device '" + std::string(device) +
               "', expected cpu, cuda or cuda:N, see --help\n");
  expect("--device", "'--device' lacks its value");
}

TEST_F(TgcRunTest, runsOnADevice) {
  writePair();
  const std::string onGpu = "LD_LIBRARY_PATH=" TG_SIMULATOR_DIRECTORY;
  const Result listed = run("pair.so --device=cuda:0", onGpu);
  EXPECT_EQ(listed.status, 0) << listed.output;
  EXPECT_NE(listed.output.find("pair/weight: f32 [4]"), std::string::npos);
  EXPECT_EQ(run("pair.so init --input seed=3 --device=cuda --save s.st", onGpu)
                .output,
            "");
  write("x.npy", {1, 2}, {2});
  const std::string test = "pair.so test --load s.st --input x=x.npy --digest ";
  const Result onDevice = run(test + "--device=cuda", onGpu);
  EXPECT_EQ(onDevice.status, 0) << onDevice.output;
  EXPECT_EQ(onDevice.output, run(test + "--device=cpu").output);
}

TEST_F(TgcRunTest, reportsDevicesThatAreMissing) {
  writePair();
  const auto expect = [&](const std::string &model, const std::string &word,
                          const std::string &environment,
                          const std::string &message) {
    const Result result =
        run(model + " --device=" + word, "LD_LIBRARY_PATH=" + environment);
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.output.find("tgc-run: error: " + message),
              std::string::npos)
        << result.output;
  };
  const std::string simulator = TG_SIMULATOR_DIRECTORY;
  expect("pair.so", "cuda:1", simulator,
         "TG_ERROR_NOT_FOUND: 'pair.so': device cuda:1, expected below 1");
  expect("pair.so", "cuda", simulator + " TG_SIMULATOR_VERSION=10010",
         "TG_ERROR_OLD_DRIVER: 'pair.so': the driver for NVIDIA GPUs is for ");
  expect(linePath, "cuda", simulator,
         "TG_ERROR_NOT_FOUND: '" + linePath + "': the library has no code for");
  // A file that is no library, and a library that is no driver.
  std::filesystem::create_directory(directory + "text");
  ASSERT_TRUE(writeFile(directory + "text/libcuda.so.1", Bytes(1000, 'x')));
  expect("pair.so", "cuda", directory + "text",
         "TG_ERROR_NO_DRIVER: 'pair.so': no driver for NVIDIA GPUs: ");
  std::filesystem::create_directory(directory + "other");
  std::filesystem::copy(rawLinePath, directory + "other/libcuda.so.1");
  expect("pair.so", "cuda", directory + "other",
         "TG_ERROR_NO_DRIVER: 'pair.so': no driver for NVIDIA GPUs: "
         "libcuda.so.1 has no function 'cu");
}

TEST_F(TgcRunTest, aFullDiskIsAnError) {
  const Result full = runLine("> /dev/full");
  EXPECT_EQ(full.status, 1);
  EXPECT_EQ(full.output, "tgc-run: error: cannot write the standard output\n");
}

TEST_F(TgcRunTest, refusesDamagedModels) {
  const Result missing = run("missing.so");
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.output.find("tgc-run: error: TG_ERROR_IO: 'missing.so'"),
            0u);
  EXPECT_EQ(run(rawLinePath).output.find("tgc-run: error: TG_ERROR_FORMAT: "),
            0u);
  TrailerFields fields;
  fields.abiVersion = 0x20003;
  ASSERT_TRUE(
      writeFile(directory + "new.so", seal(readFile(rawLinePath), fields)));
  EXPECT_EQ(run("new.so").output,
            "tgc-run: error: TG_ERROR_ABI: 'new.so': the library has ABI 2.3, "
            "expected 1.0 to 1.4, which this libtgrt runs\n");
}

TEST_F(TgcRunTest, keepsOldOutputsWhenARunFails) {
  write("x.npy", {1, 2, 3, 4}, {1, 4});
  write("y.npy", {5}, {1});
  EXPECT_EQ(runLine("test --input x=x.npy --output y=y.npy").status, 1);
  tg::NpyArray y;
  std::string error;
  ASSERT_TRUE(tg::readNpy(directory + "y.npy", y, error)) << error;
  EXPECT_EQ(y.data.size(), 4u);
}
