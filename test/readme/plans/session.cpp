// The frame of the fragment of docs/sessions.md.
#include <iostream>
#include <tg/tg.h>

int main() {
// the block
  if (session.kernelCache().find("/.cache/tg") == std::string::npos)
    return 1;
  return session.value(w).scalar() == 3 ? 0 : 1;
}
