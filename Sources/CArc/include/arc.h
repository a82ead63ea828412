#ifndef ARC_H
#define ARC_H

// Functions that Swift cannot express.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Prefetches the cache line at an address, which may be any number. Nothing is read, and the call cannot
/// fail.
static inline void arc_prefetch(uintptr_t address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch((const void *)address);
#endif
}

/// Whether the calling thread is the first thread of the process, which runs the code of the main actor.
bool arc_is_main_thread(void);

/// The number of bytes up to the end of the thread's stack. SIZE_MAX if the system does not report it.
size_t arc_remaining_stack(void);

/// Calls `body` on a new thread with a stack of `byte_count` bytes, and waits until it returns.
///
/// Returns 0. If the thread cannot be created, returns the system's error number without calling `body`.
int arc_call_with_stack(
    size_t byte_count, void (*_Nonnull body)(void *_Nullable context), void *_Nullable context);

/// Traps if the stored property at an address is being changed, as reading the property in Swift does.
void arc_check_no_change(const void *_Nonnull property);

/// Returns the word at an offset from an address.
///
/// The optimizer does not see the access. Otherwise it could assume that a word of a new object still has its
/// first value.
uintptr_t arc_word(uintptr_t address, size_t byte_offset);

/// Whether the thread certainly has no access in progress, for example to a property of a class.
bool arc_has_no_access(void);

/// Whether `arc_has_no_access` reports accesses in progress. Tests this with an access.
bool arc_notices_accesses(void);

/// Allocates an object from the metadata of its class. The fields of the object have no values.
///
/// The class must be a pure Swift class, whose objects have the size `byte_count` and the alignment
/// `alignment`. Aborts if there is no memory, as every allocation of an object does.
void *_Nonnull arc_allocate_object(const void *_Nonnull metadata, size_t byte_count, size_t alignment);

/// Frees an object whose fields have no values.
void arc_free_object(void *_Nonnull object, size_t byte_count, size_t alignment);

/// Calls `visit` with the metadata of each type that conforms to a protocol, or of the type that encloses it.
///
/// Visits the types of all loaded libraries and of the program, except generic types and subclasses that
/// inherit the conformance. `protocol` is the address of the protocol's descriptor. Does nothing if the
/// platform is unknown.
void arc_visit_conforming_types(
    const void *_Nonnull protocol, bool returns_enclosing, void (*_Nonnull visit)(const void *_Nonnull metadata, void *_Nullable context),
    void *_Nullable context);

#endif
