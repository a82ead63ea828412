import CArc

/// The types of the program that conform to a protocol, by the conformance records of the runtime
/// (swift/docs/ABI/TypeMetadata.rst). The runtime itself reads these records for `as? any P`. Therefore, the
/// types need not be registered by code that runs when the program is loaded.
package enum ConformingTypes {
  private protocol Specimen {}

  /// Returns the types that conform to a protocol and are not generic. The result does not include subclasses
  /// that inherit the conformance.
  ///
  /// - Parameters:
  ///   - existential: `(any P).self`. If it is a composition of protocols, only the first protocol is used.
  ///   - returnsEnclosing: whether the result contains the types in which the conforming types are nested,
  ///     instead of the conforming types.
  /// - Returns: the types, or nil if `existential` is not the type of a protocol of Swift.
  /// - Complexity: O(conformances in the program): some hundred microseconds.
  package static func all(of existential: Any.Type, returnsEnclosing: Bool) -> [Any.Type]? {
    guard let protocolDescriptor = unsafe descriptor(of: existential) else { return nil }
    var types: [Any.Type] = []
    unsafe withUnsafeMutablePointer(to: &types) { types in
      unsafe arc_visit_conforming_types(
        protocolDescriptor, returnsEnclosing,
        { metadata, types in
          // A metatype is the address of its metadata.
          let type = unsafe unsafeBitCast(metadata, to: Any.Type.self)
          unsafe types?.assumingMemoryBound(to: [Any.Type].self).pointee.append(type)
        }, types)
    }
    return types
  }

  /// Returns the address of the descriptor of the first protocol in a type `any P`. Nil if the type has no
  /// such descriptor. The metadata of `any P` consists of its kind, flags, a count, the metadata of a
  /// superclass if a flag is set, and the addresses of protocols. The lowest bit of an address is set for a
  /// protocol of Objective-C.
  private static func descriptor(of existential: Any.Type) -> UnsafeRawPointer? {
    guard TypeKind(of: existential) == TypeKind(of: (any Specimen).self) else { return nil }
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
