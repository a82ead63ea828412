#include "arc.h"

#if defined(__APPLE__)
#include <pthread.h>
bool arc_is_main_thread(void) { return pthread_main_np() != 0; }
#elif defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
bool arc_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }
#else
// Not known: whoever asks must not refuse anything for it.
bool arc_is_main_thread(void) { return true; }
#endif
