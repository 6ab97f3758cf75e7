// The headers that most files of the C++ front end include. They contain no
// class of layers, optimizers or models, so that a change of one recompiles
// only its users.
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
