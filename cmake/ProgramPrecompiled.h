// The headers that programs of the C++ front include: tests and examples.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <tg/runtime.hpp>
#include <tg/tg.h>
#include <tg/training.hpp>
