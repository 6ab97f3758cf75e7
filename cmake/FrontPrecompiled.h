// The headers that most files of the C++ front include. No class of layers,
// optimizers or models is here: a change of one compiles only its users.
#include "compiler/frontend/graph/Build.h"
#include "tg/nn/layer.h"
#include "tg/tensor/functional.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
