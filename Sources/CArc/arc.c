#define _GNU_SOURCE
#include "arc.h"

#include <pthread.h>

#if defined(__APPLE__)

bool arc_is_main_thread(void) { return pthread_main_np() != 0; }

static uintptr_t end_of_stack(void) {
  pthread_t thread = pthread_self();
  return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
}

#elif defined(__linux__)

#include <sys/syscall.h>
#include <unistd.h>

bool arc_is_main_thread(void) { return syscall(SYS_gettid) == getpid(); }

static uintptr_t end_of_stack(void) {
  pthread_attr_t attributes;
  void *end = NULL;
  size_t byte_count = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  if (pthread_attr_getstack(&attributes, &end, &byte_count) != 0) end = NULL;
  pthread_attr_destroy(&attributes);
  return (uintptr_t)end;
}

#else

// Not known: whoever asks must not refuse anything for it.
bool arc_is_main_thread(void) { return true; }

static uintptr_t end_of_stack(void) { return 0; }

#endif

size_t arc_remaining_stack(void) {
  // Asked for once a thread: on Linux, the main thread's takes reading a file.
  static _Thread_local uintptr_t end = 0;
  static _Thread_local bool is_known = false;
  if (!is_known) {
    end = end_of_stack();
    is_known = true;
  }
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  return end == 0 ? SIZE_MAX : here > end ? here - end : 0;
}

struct call {
  void (*body)(void *context);
  void *context;
};

static void *run(void *call) {
  struct call *found = call;
  found->body(found->context);
  return NULL;
}

int arc_call_with_stack(size_t byte_count, void (*body)(void *context), void *context) {
  pthread_attr_t attributes;
  pthread_t thread;
  struct call call = {body, context};
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  error = pthread_attr_setstacksize(&attributes, byte_count);
  if (error == 0) error = pthread_create(&thread, &attributes, run, &call);
  pthread_attr_destroy(&attributes);
  if (error == 0) pthread_join(thread, NULL);
  return error;
}

// Of Swift's runtime (Exclusivity.cpp), what code for an access to a stored property of a class calls. With flags 0 it is an
// access that reads, and has ended when the call returns.
extern void swift_beginAccess(const void *pointer, void *buffer, uintptr_t flags, void *pc);

void arc_check_no_change(const void *property) {
  void *buffer[3];
  swift_beginAccess(property, buffer, 0, NULL);
}

uintptr_t arc_word(uintptr_t address, size_t byte_offset) {
  return *(const volatile uintptr_t *)(address + byte_offset);
}

// Also of the runtime, what code calls when an access that it began with flag 0x20 is over.
extern void swift_endAccess(void *buffer);

bool arc_has_no_access(void) {
  // The runtime links the accesses that it tracks through the last words of their buffers: the address of the one before,
  // and in the lowest bit what the access does.
  void *buffer[3] = {NULL, NULL, NULL};
  swift_beginAccess(buffer, buffer, 0x20, NULL);
  uintptr_t next = (uintptr_t)buffer[2];
  swift_endAccess(buffer);
  return next >> 1 == 0;
}

bool arc_notices_accesses(void) {
  void *buffer[3] = {NULL, NULL, NULL};
  // 1: one that changes what is there.
  swift_beginAccess(buffer, buffer, 0x21, NULL);
  bool is_noticed = !arc_has_no_access();
  swift_endAccess(buffer);
  return is_noticed;
}

#if !defined(__APPLE__)

// Of Swift's runtime (RuntimeFunctions.def), what code for `init` calls.
extern void *swift_allocObject(const void *metadata, size_t required_size, size_t required_alignment_mask);

void *arc_allocate_object(const void *metadata, size_t byte_count, size_t alignment) {
  return swift_allocObject(metadata, byte_count, alignment - 1);
}

// Also of the runtime (HeapObject.cpp), what frees memory in which no value was ever set.
extern void swift_deallocUninitializedObject(void *object, size_t allocated_size, size_t allocated_alignment_mask);

void arc_free_object(void *object, size_t byte_count, size_t alignment) {
  swift_deallocUninitializedObject(object, byte_count, alignment - 1);
}

#else

// Not called: objects of Objective-C's runtime are not made so.
void *arc_allocate_object(const void *metadata, size_t byte_count, size_t alignment) { __builtin_trap(); }
void arc_free_object(void *object, size_t byte_count, size_t alignment) { __builtin_trap(); }

#endif
