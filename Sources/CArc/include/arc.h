#ifndef ARC_H
#define ARC_H

// What Swift has no word for.

#include <stdbool.h>
#include <stdint.h>

/// Asks for the cache line at an address, which may be any number: nothing is read, and nothing can fail.
static inline void arc_prefetch(uintptr_t address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch((const void *)address);
#endif
}

/// Whether the calling thread is the one that the process began with, on which the main actor's code runs.
bool arc_is_main_thread(void);

#endif
