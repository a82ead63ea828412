#ifndef ARC_PREFETCH_H
#define ARC_PREFETCH_H

#include <stdint.h>

/// Asks for the cache line at an address, which may be any number: nothing is read, and nothing can fail.
static inline void arc_prefetch(uintptr_t address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch((const void *)address);
#endif
}

#endif
