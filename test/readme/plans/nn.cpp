// The frame of the code fragment in the page on layers.
#include <tg/tg.h>

using namespace tg;

int main() {
// the block
  return dense.variables().size() == 2 ? 0 : 1;
}
