// What the floors and gauges need of C and Swift does not import by itself.
#include <zlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
