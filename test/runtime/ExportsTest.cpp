/// Checks that libtgrt exports exactly the functions that runtime.h declares.
#include <cstdio>
#include <gtest/gtest.h>
#include <set>
#include <string>

TEST(Exports, areTheInterface) {
  const std::set<std::string> expected = {"tg_checkpoint_read",
                                          "tg_context_begin",
                                          "tg_context_create",
                                          "tg_context_destroy",
                                          "tg_context_export_variables",
                                          "tg_context_finish",
                                          "tg_context_get_variable",
                                          "tg_context_import_variables",
                                          "tg_context_init",
                                          "tg_context_load_variables",
                                          "tg_context_load_variables_with",
                                          "tg_context_plan",
                                          "tg_context_register_host",
                                          "tg_context_reserve",
                                          "tg_context_run",
                                          "tg_context_run_named",
                                          "tg_context_run_profiled",
                                          "tg_context_run_traced",
                                          "tg_context_save_variables",
                                          "tg_context_set_print",
                                          "tg_context_set_seed",
                                          "tg_context_set_variable",
                                          "tg_device_count",
                                          "tg_module_adopt",
                                          "tg_module_find_function",
                                          "tg_module_find_variable",
                                          "tg_module_load",
                                          "tg_module_load_memory",
                                          "tg_module_model",
                                          "tg_module_publish",
                                          "tg_module_save_block",
                                          "tg_module_unload",
                                          "tg_module_verify",
                                          "tg_pool_create",
                                          "tg_pool_destroy",
                                          "tg_pool_parallel",
                                          "tg_runtime_abi",
                                          "tg_status_name",
                                          "tg_tensor_describe",
                                          "tg_variables_create",
                                          "tg_variables_create_on",
                                          "tg_variables_destroy",
                                          "tg_variables_extend",
                                          "tg_variables_get",
                                          "tg_variables_rollback",
                                          "tg_variables_set",
                                          "tg_variables_snapshot",
                                          "tg_workspace_bytes",
                                          "tg_workspace_create",
                                          "tg_workspace_create_on",
                                          "tg_workspace_destroy"};
  std::FILE *pipe = ::popen(TG_NM " -D --defined-only -j " TG_LIBTGRT, "r");
  ASSERT_NE(pipe, nullptr);
  std::set<std::string> found;
  char line[512];
  while (std::fgets(line, sizeof(line), pipe))
    found.insert(std::string(line, std::string(line).find_first_of("\n@")));
  EXPECT_EQ(::pclose(pipe), 0);
  EXPECT_EQ(found, expected);
}
