#include "tool/registry.h"
int main(void) { return 0; }
