/// The mapping of checkpoint tensors to variables, and the messages for files
/// that do not match.
#include "support/Line.h"
#include "support/ModelFile.h"

#include <cstring>
#include <filesystem>
#include <span>
#include <unistd.h>

using namespace tg::test;
namespace fs = std::filesystem;

namespace {

class LoadModesTest : public LineTest {
protected:
  void SetUp() override {
    LineTest::SetUp();
    directory = testing::TempDir() + "/tg-modes-" + std::to_string(::getpid());
    fs::create_directory(directory);
    fs::current_path(directory);
    ASSERT_EQ(tg_context_init(context, 1, &error), TG_OK);
    options.struct_size = sizeof(options);
  }
  void TearDown() override {
    fs::current_path("/");
    fs::remove_all(directory);
    LineTest::TearDown();
  }

  /// Writes a file of tensors [name, elements of f32, ...] and the step, as
  /// another program would write it.
  void
  write(const std::string &metadata,
        const std::vector<std::pair<std::string, std::vector<float>>> &tensors,
        const std::string &stepName = "line/step") {
    std::string header = "{" + metadata + (metadata.empty() ? "" : ",");
    Bytes data(8);
    data[0] = 7;
    header += "\"" + stepName +
              "\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]}";
    for (const auto &[name, elements] : tensors) {
      const size_t begin = data.size();
      const auto bytes = std::as_bytes(std::span(elements));
      const auto *first = reinterpret_cast<const uint8_t *>(bytes.data());
      data.insert(data.end(), first, first + bytes.size());
      header += ",\"" + name + "\":{\"dtype\":\"F32\",\"shape\":[" +
                std::to_string(elements.size()) + "],\"data_offsets\":[" +
                std::to_string(begin) + "," + std::to_string(data.size()) +
                "]}";
    }
    header += "}";
    Bytes file(8);
    const uint64_t length = header.size();
    std::memcpy(file.data(), &length, 8);
    file.insert(file.end(), header.begin(), header.end());
    file.insert(file.end(), data.begin(), data.end());
    ASSERT_TRUE(writeFile("file.safetensors", file));
  }

  /// Loads the file with `options`. A failure must change nothing.
  tg_status_t load() {
    const std::vector<uint8_t> before = variables(context);
    const tg_status_t status = tg_context_load_variables_with(
        context, "file.safetensors", &options, &error);
    if (status != TG_OK) {
      EXPECT_EQ(variables(context), before) << error.message;
    }
    return status;
  }
  void rename(std::vector<tg_rename_t> list) {
    renames = std::move(list);
    options.renames = renames.data();
    options.rename_count = renames.size();
  }
  std::vector<float> weight() {
    std::vector<float> elements(4);
    std::memcpy(elements.data(), variables(context).data(), 16);
    return elements;
  }

  std::string directory;
  tg_variables_options_t options = {};
  std::vector<tg_rename_t> renames;
};

const std::vector<float> four = {1, 2, 3, 4};

} // namespace

TEST_F(LoadModesTest, ignoresWhatTheLibraryHasNot) {
  write("", {{"line/weight", four}, {"line/weight.adam_m", {5, 6, 7}}});
  EXPECT_EQ(load(), TG_ERROR_NOT_FOUND);
  options.flags = TG_VARIABLES_IGNORE_OTHERS;
  EXPECT_EQ(load(), TG_OK) << error.message;
  EXPECT_EQ(weight(), four);
  // Every variable of the library must be in the file.
  write("", {{"line/weights", four}});
  EXPECT_EQ(load(), TG_ERROR_NOT_FOUND);
  EXPECT_NE(std::strstr(error.message, ": missing 'line/weight'"), nullptr)
      << error.message;
}

TEST_F(LoadModesTest, theHashCoversWhatIsIgnored) {
  ASSERT_EQ(tg_context_save_variables(context, "file.safetensors", &error),
            TG_OK);
  Bytes file = readFile("file.safetensors");
  // A file without hash of the header, as older libraries wrote it, stores
  // line/step as line/sten; the rename maps it back.
  std::string text(file.begin(), file.end());
  const size_t begin = text.find("\"tg.header_sha256"),
               end = text.find("\"format\"");
  text.insert(text.find("]}}") + 3, end - begin, ' ');
  text.erase(begin, end - begin);
  text.replace(text.find("line/step\""), 10, "line/sten\"");
  rename({{"line/sten", "line/step", 0, 0}});
  ASSERT_TRUE(writeFile("file.safetensors", Bytes(text.begin(), text.end())));
  ASSERT_EQ(load(), TG_OK) << error.message;
  text.back() ^= 1;
  ASSERT_TRUE(writeFile("file.safetensors", Bytes(text.begin(), text.end())));
  EXPECT_EQ(load(), TG_ERROR_CORRUPT);
  EXPECT_STREQ(error.message,
               "'file.safetensors': the hash of the data is wrong");
}

TEST_F(LoadModesTest, takesOtherNames) {
  write("", {{"fc.weight", four}});
  rename({{"fc.weight", "line/weight", 0, 0}});
  EXPECT_EQ(load(), TG_OK) << error.message;
  EXPECT_EQ(weight(), four);
  // The tensor with the variable's own name is then an extra one.
  write("", {{"fc.weight", four}, {"line/weight", {0, 0, 0, 0}}});
  EXPECT_EQ(load(), TG_ERROR_NOT_FOUND);
  options.flags = TG_VARIABLES_IGNORE_OTHERS;
  EXPECT_EQ(load(), TG_OK) << error.message;
  EXPECT_EQ(weight(), four);
  // A name that the file lacks is reported as the caller gave it.
  rename({{"fc.weigth", "line/weight", 0, 0}});
  EXPECT_EQ(load(), TG_ERROR_NOT_FOUND);
  EXPECT_NE(std::strstr(error.message, "missing 'fc.weigth'"), nullptr)
      << error.message;
}

TEST_F(LoadModesTest, takesOtherPrefixes) {
  write("", {{"model.weight", four}}, "model.step");
  options.strip_prefix = "model.";
  EXPECT_EQ(load(), TG_ERROR_NOT_FOUND);
  options.add_prefix = "line/";
  EXPECT_EQ(load(), TG_OK) << error.message;
  EXPECT_EQ(weight(), four);
  // A name without the prefix stays; a renamed one is used as given.
  write("", {{"weight", four}});
  rename({{"weight", "line/weight", 0, 0}});
  EXPECT_EQ(load(), TG_OK) << error.message;
  write("", {{"weight", four}}, "step");
  options.strip_prefix = nullptr;
  rename({});
  EXPECT_EQ(load(), TG_OK) << error.message;
}

TEST_F(LoadModesTest, twoTensorsOfOneVariableAreRefused) {
  write("", {{"line/weight", four}, {"weight", four}});
  options.add_prefix = "line/";
  options.strip_prefix = "";
  EXPECT_EQ(load(), TG_ERROR_NOT_FOUND); // line/line/weight
  options.add_prefix = "";
  options.strip_prefix = "old.";
  write("", {{"line/weight", four}, {"old.line/weight", four}});
  EXPECT_EQ(load(), TG_ERROR_FORMAT);
  EXPECT_STREQ(error.message, "'file.safetensors': tensor 'old.line/weight' is "
                              "the second one for variable 'line/weight'");
}

TEST_F(LoadModesTest, refusesWrongOptions) {
  write("", {{"line/weight", four}});
  rename({{"a", "line/weigth", 0, 0}});
  EXPECT_EQ(load(), TG_ERROR_NOT_FOUND);
  EXPECT_STREQ(error.message, "tensor 'a' is renamed to 'line/weigth', which "
                              "is no variable of model 'line'; did you mean "
                              "'line/weight'?");
  rename({{"a", "line/weight", 0, 0}, {"b", "line/weight", 0, 0}});
  EXPECT_EQ(load(), TG_ERROR_COUNT);
  rename({{"a", "line/weight", TG_RENAME_TRANSPOSED, 0}});
  EXPECT_EQ(load(), TG_ERROR_RANK);
  rename({{"a", nullptr, 0, 0}});
  EXPECT_EQ(load(), TG_ERROR_NULL);
  rename({{"a", "line/weight", 2, 0}});
  EXPECT_EQ(load(), TG_ERROR_STRUCT);
  rename({{"a", "line/weight", 0, 1}});
  EXPECT_EQ(load(), TG_ERROR_STRUCT);
  options.renames = nullptr;
  EXPECT_EQ(load(), TG_ERROR_NULL);
  rename({});
  options.flags = 2;
  EXPECT_EQ(load(), TG_ERROR_STRUCT);
  options.flags = 0;
  options.struct_size -= 8;
  EXPECT_EQ(load(), TG_ERROR_STRUCT);
}

TEST_F(LoadModesTest, namesBothFilesBothModelsAndWhatDoesNotFit) {
  fs::create_symlink(linePath, "serve.so");
  tg_module_t *loaded;
  tg_context_t *served;
  ASSERT_EQ(tg_module_load("serve.so", nullptr, &loaded, &error), TG_OK);
  ASSERT_EQ(tg_context_create(loaded, nullptr, &served, &error), TG_OK);
  const auto expect = [&](const char *message) {
    EXPECT_EQ(tg_context_load_variables(served, "file.safetensors", &error),
              TG_ERROR_NOT_FOUND);
    EXPECT_STREQ(error.message, message);
  };
  write(R"("__metadata__":{"tg.model":"reg"})",
        {{"reg/a", four}, {"reg/b", {}}}, "line/step");
  expect("'file.safetensors' is a checkpoint of model 'reg', expected 'line' "
         "of 'serve.so': missing 'line/weight'; too many 'reg/a', 'reg/b'");
  std::vector<std::pair<std::string, std::vector<float>>> many = {
      {"line/weight", four}};
  for (int i = 0; i < 1000; ++i)
    many.push_back({"line/weight_" + std::to_string(i) + ".adam_m", {}});
  write(R"("__metadata__":{"tg.model":"line"})", many);
  expect("'file.safetensors' does not fit model 'line' of 'serve.so': too many "
         "'line/weight_0.adam_m', 'line/weight_1.adam_m', "
         "'line/weight_2.adam_m', 'line/weight_3.adam_m', "
         "'line/weight_4.adam_m', 'line/weight_5.adam_m' and 994 more");
  // A model that was not loaded from a file is reported by its name alone.
  tg_context_destroy(served);
  ASSERT_EQ(tg_module_unload(loaded, &error), TG_OK);
  ASSERT_EQ(tg_module_adopt(line_tg_model_get, nullptr, &loaded, &error),
            TG_OK);
  ASSERT_EQ(tg_context_create(loaded, nullptr, &served, &error), TG_OK);
  write("", {}, "line/step");
  expect("'file.safetensors' does not fit model 'line': missing 'line/weight'");
  tg_context_destroy(served);
  ASSERT_EQ(tg_module_unload(loaded, &error), TG_OK);
}

TEST_F(LoadModesTest, aTensorThatDiffersNamesTheFileAndTheOtherModel) {
  write(R"("__metadata__":{"tg.model":"reg"})", {{"line/weight", {1, 2}}});
  EXPECT_EQ(load(), TG_ERROR_DIM);
  EXPECT_STREQ(error.message,
               "'file.safetensors': tensor 'line/weight': dim 0 is 2, expected "
               "4; a checkpoint of model 'reg', expected 'line'");
}

TEST_F(LoadModesTest, everyFailureNamesTheFile) {
  for (const Bytes &bytes :
       {Bytes{}, Bytes(7, 0), Bytes(8, 0), Bytes(16, '{'),
        Bytes{2, 0, 0, 0, 0, 0, 0, 0, '{', '}', 1}, Bytes(9, 255)}) {
    ASSERT_TRUE(writeFile("file.safetensors", bytes));
    EXPECT_NE(load(), TG_OK);
    EXPECT_NE(std::strstr(error.message, "'file.safetensors'"), nullptr)
        << error.message;
  }
  // The message shows the end of a long path, then the reason.
  const std::string deep = directory + "/" + std::string(200, 'x') + "/end.st";
  EXPECT_EQ(tg_context_load_variables(context, deep.c_str(), &error),
            TG_ERROR_IO);
  EXPECT_NE(std::strstr(error.message, "xxx/end.st': cannot open: No such"),
            nullptr)
      << error.message;
}
