#include "Ptxas.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

void tg::test::expectAssembles(const std::string &text) {
  const char *ptxas = std::getenv("TG_TEST_PTXAS");
  if (!ptxas)
    return;
  std::string file =
      testing::TempDir() + "simulator-" + std::to_string(getpid()) + ".ptx";
  std::ofstream(file) << text;
  std::string command =
      std::string(ptxas) + " -arch=sm_80 -o /dev/null '" + file + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << text;
  std::remove(file.c_str());
}
