import CArc

/// The archivable types of the program, by the runtime's records of conformances: nothing runs for them when
/// the program is loaded. Not among them are generic types, and subclasses that are coded by hand.
enum ProgramTypes {
  /// All that are loaded by now; none where the records are not as they are taken to be.
  ///
  /// - Complexity: O(conformances in the program): some hundred microseconds.
  static var all: [Any.Type] { areFound ? find() : [] }

  /// Whether two types of ours are found.
  private static let areFound: Bool = {
    let types = find()
    return types.contains { $0 == Int.self } && isFound(Probe.self, by: Probe.Announcement.self, in: types)
  }()

  private enum Probe {
    enum Announcement: __Announcement {}
  }

  /// Whether a type is among others by what announces it. Never inlined: the optimizer leaves out an
  /// announcement that nothing names, as schemas name those of classes.
  @inline(never) private static func isFound(
    _ type: Any.Type, by announcement: any __Announcement.Type, in types: [Any.Type]
  ) -> Bool {
    types.contains { $0 == type } && announcement != type
  }

  private static func find() -> [Any.Type] {
    (types(conformingTo: (any ArchivableValue).self, orAround: false) ?? [])
      + (types(conformingTo: (any __Announcement).self, orAround: true) ?? [])
  }

  /// The types of the program, archivable or not, that conform to what a property is declared as, but for
  /// subclasses of these; nil where that may be any type. Of several protocols only the first counts.
  static func conforming(to interface: Any.Type) -> [Any.Type]? {
    areFound ? types(conformingTo: interface, orAround: false) : nil
  }

  /// The types with a conformance to a protocol, or those around them; nil for what is no protocol.
  private static func types(conformingTo existential: Any.Type, orAround isAround: Bool) -> [Any.Type]? {
    guard let protocolDescriptor = unsafe descriptor(of: existential) else { return nil }
    var types: [Any.Type] = []
    unsafe withUnsafeMutablePointer(to: &types) { types in
      unsafe arc_visit_conforming_types(
        protocolDescriptor, isAround,
        { metadata, types in
          // The address of its metadata is what a metatype is.
          let type = unsafe unsafeBitCast(metadata, to: Any.Type.self)
          unsafe types?.assumingMemoryBound(to: [Any.Type].self).pointee.append(type)
        }, types)
    }
    return types
  }

  /// The address of the descriptor of a protocol, the first of several; nil where there is none. The metadata
  /// of `any P` has its kind, flags, a count, the metadata of a superclass if the flags say so, and the
  /// addresses of protocols, lowest bit set for Objective-C's (swift/docs/ABI, TypeMetadata).
  private static func descriptor(of existential: Any.Type) -> UnsafeRawPointer? {
    guard RuntimeLayout.kind(of: existential) == RuntimeLayout.kind(of: (any __Announcement).self) else {
      return nil
    }
    let metadata = unsafe unsafeBitCast(existential, to: UnsafeRawPointer.self)
    let flags = MemoryLayout<UInt>.size
    let count = flags + MemoryLayout<UInt32>.size
    let hasSuperclass: UInt32 = 1 << 30
    guard unsafe metadata.load(fromByteOffset: flags, as: UInt32.self) & hasSuperclass == 0,
      unsafe metadata.load(fromByteOffset: count, as: UInt32.self) > 0
    else { return nil }
    let first = unsafe metadata.load(fromByteOffset: count + MemoryLayout<UInt32>.size, as: UInt.self)
    return first & 1 == 0 ? unsafe UnsafeRawPointer(bitPattern: first) : nil
  }
}
