#ifndef ARC_H
#define ARC_H

// What Swift has no word for.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Asks for the cache line at an address, which may be any number: nothing is read, and nothing can fail.
static inline void arc_prefetch(uintptr_t address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch((const void *)address);
#endif
}

/// Whether the calling thread is the one that the process began with, on which the main actor's code runs.
bool arc_is_main_thread(void);

/// Bytes between here and the end of the thread's stack; SIZE_MAX where the system does not tell.
size_t arc_remaining_stack(void);

/// Calls `body` on a thread of its own with a stack of so many bytes, and waits for it. Returns 0, or the system's error
/// number, and then nothing was called.
int arc_call_with_stack(
    size_t byte_count, void (*_Nonnull body)(void *_Nullable context), void *_Nullable context);

/// Traps, as reading it in Swift does, if a stored property is being changed whose address is given.
void arc_check_no_change(const void *_Nonnull property);

/// The word that begins so many bytes after an address. Not told to the optimizer, which may know of a new object what it
/// believes to be there.
uintptr_t arc_word(uintptr_t address, size_t byte_offset);

/// Whether the runtime's list of accesses that go on in this thread, to properties of classes and the like, is surely empty.
bool arc_has_no_access(void);

/// Whether `arc_has_no_access` tells of an access that goes on: tries it.
bool arc_notices_accesses(void);

/// A new object of a class, given its metadata, whose fields have no values yet; of a class of Swift alone, whose objects
/// take so many bytes and are aligned so. Aborts where there is no memory, as all allocation of objects does.
void *_Nonnull arc_allocate_object(const void *_Nonnull metadata, size_t byte_count, size_t alignment);

/// Frees such an object while its fields have no values, or none any more.
void arc_free_object(void *_Nonnull object, size_t byte_count, size_t alignment);

/// Calls `visit` with the metadata of each type that conforms to a protocol, or of the type around each, in all of the
/// program that is loaded now: of types that are not generic, and not of subclasses, which inherit the conformance.
/// `protocol` is the address of the protocol's descriptor. Where it is not known how to find the types, does nothing.
void arc_visit_conforming_types(
    const void *_Nonnull protocol, bool wants_enclosing, void (*_Nonnull visit)(const void *_Nonnull metadata, void *_Nullable context),
    void *_Nullable context);

#endif
