import CArc

#if canImport(ObjectiveC)
  import ObjectiveC
#endif

extension ReferenceWriter {
  /// Rows between the object that is encoded and the one whose memory is asked for.
  private static let objectDistance = 8
  /// Rows between the object that is encoded and the one in whose memory addresses are looked for. Smaller, so that
  /// this memory is there by then.
  private static let addressDistance = 4

  /// Asks for the memory that it takes to encode the objects after row `index + 1`: their own, and what they refer to.
  ///
  /// Objects, storage of strings and arrays, and places in the table of rows lie anywhere, and an object is encoded by code
  /// that waits for each of them in turn. What an object refers to is found without knowing its properties: any of its
  /// words may be an address. A wrong guess costs a little time, since asking for memory neither reads it nor fails.
  mutating func lookAhead(from index: Int) {
    if index + Self.objectDistance < objects.count {
      let address = unsafe UInt(bitPattern: objects[index + Self.objectDistance].toOpaque())
      arc_prefetch(address)
      arc_prefetch(address &+ 64)
    }
    guard index + Self.addressDistance < objects.count else { return }
    let object = unsafe objects[index + Self.addressDistance]
    let byteCount = unsafe object._withUnsafeGuaranteedRef { instanceSizes.byteCount(of: type(of: $0)) }
    // Behind the class and the reference count. The object is kept alive, and has so many bytes.
    var offset = 2 * MemoryLayout<UInt>.size
    while offset &+ MemoryLayout<UInt>.size <= byteCount {
      lookAhead(
        atWord: unsafe UnsafeRawPointer(object.toOpaque()).load(fromByteOffset: offset, as: UInt.self))
      offset &+= MemoryLayout<UInt>.size
    }
  }

  /// Asks for memory whose address a word of an object may be, and for the place of its row.
  @inline(__always) private func lookAhead(atWord word: UInt) {
    // The storage of a string has flags in the highest byte.
    let address = word & (.max >> 8)
    guard identities.coversRegion(of: address) else { return }
    arc_prefetch(address)
    if word == address { arc_prefetch(identities.homeAddress(of: address)) }
  }
}

/// How much memory objects of a class have, for classes that were asked for last.
struct InstanceSizes {
  /// More is not looked at.
  private static let greatestByteCount = 512

  private var recent = [(type: UInt, byteCount: Int)](repeating: (0, 0), count: ClassWriterTable.recentCount)

  /// Bytes of each object of a class, from its address on.
  @inline(__always) mutating func byteCount(of type: AnyClass) -> Int {
    let identity = UInt(bitPattern: ObjectIdentifier(type))
    let place = ClassWriterTable.place(of: identity)
    if recent[place].type != identity {
      recent[place] = (identity, min(Self.instanceSize(of: type), Self.greatestByteCount))
    }
    return recent[place].byteCount
  }

  static func instanceSize(of type: AnyClass) -> Int {
    #if canImport(ObjectiveC)
      class_getInstanceSize(type)
    #else
      Int(swiftClassInstanceExtents(type).positive)
    #endif
  }
}

#if !canImport(ObjectiveC)
  /// What the standard library asks before it lays out a `ManagedBuffer`.
  @_silgen_name("_swift_getSwiftClassInstanceExtents")
  private func swiftClassInstanceExtents(_ type: AnyClass) -> (negative: UInt, positive: UInt)
#endif
