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

// Unknown. The result is true, so that callers reject nothing because of it.
bool arc_is_main_thread(void) { return true; }

static uintptr_t end_of_stack(void) { return 0; }

#endif

size_t arc_remaining_stack(void) {
  // Determined once per thread, because on Linux the stack of the main thread is read from a file.
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

// A function of Swift's runtime (Exclusivity.cpp), which compiled code calls to access a stored property of a
// class. With flags 0, the access is a read that has ended when the call returns.
extern void swift_beginAccess(const void *pointer, void *buffer, uintptr_t flags, void *pc);

void arc_check_no_change(const void *property) {
  void *buffer[3];
  swift_beginAccess(property, buffer, 0, NULL);
}

uintptr_t arc_word(uintptr_t address, size_t byte_offset) {
  return *(const volatile uintptr_t *)(address + byte_offset);
}

// A function of the runtime, which compiled code calls at the end of an access that began with flag 0x20.
extern void swift_endAccess(void *buffer);

bool arc_has_no_access(void) {
  // The runtime links the accesses that it tracks through the last words of their buffers. The last word
  // contains the address of the previous access, and the kind of the access in the lowest bit.
  void *buffer[3] = {NULL, NULL, NULL};
  swift_beginAccess(buffer, buffer, 0x20, NULL);
  uintptr_t next = (uintptr_t)buffer[2];
  swift_endAccess(buffer);
  return next >> 1 == 0;
}

bool arc_notices_accesses(void) {
  void *buffer[3] = {NULL, NULL, NULL};
  // Flag 1 marks an access that changes the property.
  swift_beginAccess(buffer, buffer, 0x21, NULL);
  bool is_noticed = !arc_has_no_access();
  swift_endAccess(buffer);
  return is_noticed;
}

#if !defined(__APPLE__)

// A function of Swift's runtime (RuntimeFunctions.def), which compiled code calls for `init`.
extern void *swift_allocObject(const void *metadata, size_t required_size, size_t required_alignment_mask);

void *arc_allocate_object(const void *metadata, size_t byte_count, size_t alignment) {
  return swift_allocObject(metadata, byte_count, alignment - 1);
}

// A function of the runtime (HeapObject.cpp), which frees an object whose fields have never had values.
extern void swift_deallocUninitializedObject(void *object, size_t allocated_size, size_t allocated_alignment_mask);

void arc_free_object(void *object, size_t byte_count, size_t alignment) {
  swift_deallocUninitializedObject(object, byte_count, alignment - 1);
}

#else

// Never called, because objects of Objective-C's runtime are not allocated in this way.
void *arc_allocate_object(const void *metadata, size_t byte_count, size_t alignment) { __builtin_trap(); }
void arc_free_object(void *object, size_t byte_count, size_t alignment) { __builtin_trap(); }

#endif
