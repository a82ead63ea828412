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
    guard RuntimeLayout.isTrusted else { return false }
    let types = find()
    return types.contains { $0 == Int.self } && types.contains { $0 == Probe.self }
  }()

  private enum Probe {
    enum Announcement: __Announcement {}
  }

  private static func find() -> [Any.Type] {
    types(conformingTo: (any ArchivableValue).self, orAround: false)
      + types(conformingTo: (any __Announcement).self, orAround: true)
  }

  /// The types with a conformance to a protocol, or those around them.
  private static func types(conformingTo existential: Any.Type, orAround isAround: Bool) -> [Any.Type] {
    guard let protocolDescriptor = unsafe descriptor(of: existential) else { return [] }
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

  /// The address of a protocol's descriptor. The metadata of `any P` has its kind, flags, a count, and one
  /// address for each protocol (swift/docs/ABI, TypeMetadata).
  private static func descriptor(of existential: Any.Type) -> UnsafeRawPointer? {
    let metadata = unsafe unsafeBitCast(existential, to: UnsafeRawPointer.self)
    let count = MemoryLayout<UInt>.size + MemoryLayout<UInt32>.size
    guard unsafe metadata.load(fromByteOffset: count, as: UInt32.self) == 1 else { return nil }
    let offset = count + MemoryLayout<UInt32>.size
    return unsafe UnsafeRawPointer(bitPattern: metadata.load(fromByteOffset: offset, as: UInt.self))
  }
}
