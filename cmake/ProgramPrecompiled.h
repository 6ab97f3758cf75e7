// The headers that tests and examples of the C++ front end include.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <tg/runtime.hpp>
#include <tg/tg.h>
#include <tg/training.hpp>
