#include "Faults.h"

#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace tg::test;

void FaultTest::SetUp() {
  log = testing::TempDir() + "simulator-" + std::to_string(getpid()) + ".log";
  setenv("TG_SIMULATOR_LOG", log.c_str(), 1);
  setenv("TG_SIMULATOR_LIMIT", "100000", 1);
  CudaTest::SetUp();
}

void FaultTest::TearDown() {
  CudaTest::TearDown();
  unsetenv("TG_SIMULATOR_LOG");
  unsetenv("TG_SIMULATOR_LIMIT");
  std::remove(log.c_str());
}

std::string FaultTest::lastLine() const {
  std::ifstream file(log);
  std::string last;
  for (std::string line; std::getline(file, line);)
    last = line;
  return last;
}
