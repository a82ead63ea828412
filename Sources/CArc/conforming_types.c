#include "arc.h"

// Conformance records, which the Swift runtime itself uses for `as? any P`, and the descriptors to which they
// refer: swift/docs/ABI/TypeMetadata.rst. An offset is relative to the field that contains it.

struct conformance {
  int32_t protocol;
  int32_t type;
  int32_t witness_table;
  uint32_t flags;
};

struct type_descriptor {
  uint32_t flags;
  int32_t parent;
  int32_t name;
  int32_t access_function;
};

struct metadata_response {
  const void *metadata;
  size_t state;
};

typedef __attribute__((swiftcall)) struct metadata_response (*access_function)(size_t request);

enum { kind_mask = 0x1f, anonymous_kind = 2, class_kind = 16, enum_kind = 18, is_generic = 0x80 };

struct visitor {
  const void *protocol;
  bool returns_enclosing;
  void (*visit)(const void *metadata, void *context);
  void *context;
};

/// Returns the target of a relative pointer. If the lowest bit is set, the pointer refers to the target's
/// address.
static const void *indirectable(const int32_t *field) {
  const char *target = (const char *)field + (*field & ~1);
  return (*field & 1) != 0 ? *(const void *const *)target : target;
}

/// Returns the descriptor of the conforming type. NULL if the record has none.
///
/// The kind of a record with a descriptor is 0, or 1 if the record refers to the descriptor's address.
static const struct type_descriptor *conforming_type(const struct conformance *conformance) {
  const char *target = (const char *)&conformance->type + conformance->type;
  switch (conformance->flags >> 3 & 7) {
    case 0: return (const struct type_descriptor *)target;
    case 1: return *(const struct type_descriptor *const *)target;
    default: return NULL;
  }
}

/// Returns the type or module in which a type is declared. NULL if there is none.
///
/// Skips the context without a name that contains the private types of a file.
static const struct type_descriptor *enclosing_context(const struct type_descriptor *type) {
  do {
    if (type->parent == 0) return NULL;
    type = indirectable(&type->parent);
  } while ((type->flags & kind_mask) == anonymous_kind);
  return type;
}

/// Whether a context is a type that is not generic.
static bool is_plain_type(const struct type_descriptor *type) {
  uint32_t kind = type->flags & kind_mask;
  return kind >= class_kind && kind <= enum_kind && (type->flags & is_generic) == 0;
}

static void visit_records(const int32_t *records, size_t byte_count, const struct visitor *visitor) {
  for (size_t index = 0; index < byte_count / sizeof *records; ++index) {
    const struct conformance *conformance = indirectable(&records[index]);
    if (indirectable(&conformance->protocol) != visitor->protocol) continue;
    const struct type_descriptor *type = conforming_type(conformance);
    if (type != NULL && visitor->returns_enclosing) type = enclosing_context(type);
    if (type == NULL || !is_plain_type(type)) continue;
    const char *function = (const char *)&type->access_function + type->access_function;
    visitor->visit(((access_function)(uintptr_t)function)(0).metadata, visitor->context);
  }
}

#if defined(__APPLE__)

#include <mach-o/dyld.h>
#include <mach-o/getsect.h>

static void visit_all(const struct visitor *visitor) {
  for (uint32_t index = 0; index < _dyld_image_count(); ++index) {
    const struct mach_header_64 *image = (const struct mach_header_64 *)_dyld_get_image_header(index);
    // Skips the hundreds of libraries of the system, which do not use Arc.
    if (image == NULL || (image->flags & 0x80000000) != 0) continue;
    unsigned long byte_count = 0;
    const uint8_t *records = getsectiondata(image, "__TEXT", "__swift5_proto", &byte_count);
    if (records != NULL) visit_records((const int32_t *)records, byte_count, visitor);
  }
}

#else

struct section {
  uintptr_t start;
  uintptr_t byte_count;
};

/// The sections that each loaded library or program registers with the runtime.
struct metadata_sections {
  uintptr_t version;
  const void *base_address;
  void *unused[2];
  struct section protocols;
  struct section conformances;
};

/// A function of the runtime. NULL if the runtime does not have it.
__attribute__((weak)) void swift_enumerateAllMetadataSections(
    bool (*body)(const struct metadata_sections *sections, void *context), void *context);

static bool visit_sections(const struct metadata_sections *sections, void *visitor) {
  if (sections->conformances.start != 0) {
    visit_records((const int32_t *)sections->conformances.start, sections->conformances.byte_count, visitor);
  }
  return true;
}

static void visit_all(const struct visitor *visitor) {
  if (swift_enumerateAllMetadataSections != NULL) {
    swift_enumerateAllMetadataSections(visit_sections, (void *)visitor);
  }
}

#endif

void arc_visit_conforming_types(
    const void *protocol, bool returns_enclosing, void (*visit)(const void *metadata, void *context), void *context) {
  struct visitor visitor = {protocol, returns_enclosing, visit, context};
  visit_all(&visitor);
}
