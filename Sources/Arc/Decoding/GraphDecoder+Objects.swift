import ArcFormat

// Builds the object of a row and sets its properties, both for archives and for other formats.

extension ClassReader {
  /// Builds an object from the current row of the columns, and sets the values of phase `fill`. `decoder` is
  /// `initializerDecoder`. `fills` is true if phase `fill` sets values. A caller that builds many objects
  /// determines these two parameters only once.
  @inline(__always) func construct<Object: Archivable>(
    _ type: Object.Type, by decoder: borrowing ObjectDecoder, fills: Bool
  ) throws -> Object {
    let object = try Object(from: decoder)
    if fills { try object.link(from: ObjectDecoder(self, linking: object, in: .fill)) }
    return object
  }

  /// Builds an object from the current row of the columns.
  @inline(__always) func construct<Object: Archivable>(_ type: Object.Type) throws -> Object {
    try construct(type, by: initializerDecoder, fills: needsLink(in: .fill))
  }

  /// The decoder for building objects.
  var initializerDecoder: ObjectDecoder {
    ObjectDecoder(self, slot: initializerSlot, phase: .initializer)
  }
}

extension GraphDecoder {
  /// Sets those properties of the object in `row` that are set in `phase`. The columns of the reader are at
  /// this row.
  @inline(__always) func link<Object: Archivable>(
    _ type: Object.Type, _ reader: ClassReader, row: Int, in phase: DecodingPhase
  ) throws {
    try withObject(row, as: type) { try $0.link(from: ObjectDecoder(reader, linking: $0, in: phase)) }
  }

  /// Calls `body` with the object of a row, if the object is of the class `type` or of a subclass.
  @inline(__always) func withObject<Object: Archivable>(
    _ row: Int, as type: Object.Type, _ body: (Object) throws -> Void
  ) throws {
    let table = references.value.objects
    guard row > 0, row < table.count, let held = unsafe table.base[row] else { throw notBuilt(row) }
    // The table retains the object, so the call need not retain it.
    try unsafe held._withUnsafeGuaranteedRef { object in
      if Swift.type(of: object) == type {
        try body(unsafe unsafeDowncast(object, to: Object.self))
      } else if let object = object as? Object {
        try body(object)
      }
    }
  }

  @inline(never) private func notBuilt(_ row: Int) -> ArchiveError {
    ArchiveError(
      .danglingReference, found: "a reference to object #\(fileRow(row)), which was not built",
      expected: "a reference to an object that was built", objectID: view?.id(ofRow: row))
  }
}
