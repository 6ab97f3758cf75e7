/// Tests initial values from a file.
#include "../Errors.h"
#include "../Evaluator.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace tg;

namespace {
class DiskInitializer : public testing::Test {
protected:
  DiskInitializer() { std::filesystem::create_directories(directory); }
  ~DiskInitializer() override { std::filesystem::remove_all(directory); }

  /// Writes a .npy file of doubles and returns its path.
  std::string write(const std::string &shape, std::vector<double> elements) {
    std::string header =
        "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }\n";
    std::string bytes("\x93NUMPY\x01\0", 8);
    bytes += static_cast<char>(header.size());
    bytes += '\0';
    bytes += header;
    bytes.append(reinterpret_cast<const char *>(elements.data()),
                 elements.size() * sizeof(double));
    const std::string path = directory / "w.npy";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path directory = std::filesystem::temp_directory_path() /
                                    ("tg-disk-" + std::to_string(getpid()));
};

TEST_F(DiskInitializer, readsAnArray) {
  const std::string path = write("(2, 2)", {1, 2.5, -3, 4});
  Program program("p");
  Variable w = program.variable("w", f32, {2, 2}, diskInitializer(path));
  Linear layer({.units = 2, .weightInitializer = diskInitializer(path)});
  Tensor x = program.input("x", f32, {1, 2});
  program.function("f",
                   {.inputs = {x}, .outputs = {{"w", w}, {"y", layer(x)}}});
  std::filesystem::remove(path); // the values that were read stay
  Evaluator evaluator(program.text());
  evaluator.init(1);
  std::vector<Elements> found = evaluator.run("f", {{{1, 1}, {1, 2}, f32}});
  ASSERT_EQ(evaluator.error(), "");
  EXPECT_EQ(found[0].values, (std::vector<double>{1, 2.5, -3, 4}));
  EXPECT_EQ(found[1].values, (std::vector<double>{-2, 6.5}));
}

TEST_F(DiskInitializer, readsATensorOfACheckpoint) {
  ExecutionScope scope(true);
  const std::string path = directory / "two.safetensors";
  Program first("first");
  Variable a = first.variable("a", f32, {3}, values({1, 2, 3}));
  Variable b = first.variable("b", f32, {1}, ones());
  Saver(std::vector<Variable>{a, b}).save(path);
  Program second("second");
  Variable w = second.variable("w", f32, {3}, diskInitializer(path, a.name()));
  EXPECT_EQ(w.values<float>(), (std::vector<float>{1, 2, 3}));
  EXPECT_ERROR(second.variable("v", f32, {3}, diskInitializer(path)),
               "which has 2, found ''");
  EXPECT_ERROR(second.variable("u", f32, {2}, diskInitializer(path, "a")),
               "expected f32 [2] in '" + path + "', found f32 [3]");
}

TEST_F(DiskInitializer, tellsWhatDoesNotFit) {
  const std::string path = write("(4,)", {1, 2.5, -3, 4});
  Program program("p");
  EXPECT_ERROR(program.variable("w", f32, {2, 2}, diskInitializer(path)),
               "expected f32 [2, 2] in '" + path + "', found f32 [4]");
  EXPECT_ERROR(program.variable("v", i32, {4}, diskInitializer(path),
                                {.trainable = false}),
               "element 0 is 1.000000, expected a number that the requested "
               "type represents");
  EXPECT_ERROR(program.variable("u", f32, {4}, diskInitializer("no.npy")),
               "'no.npy': cannot open: No such file or directory");
  EXPECT_ERROR(program.variable("t", f32, {4}, diskInitializer("no", "w")),
               "no");
}
} // namespace
