public import Arc

extension Unarchiver {
  /// Finds properties whose set elements or dictionary keys can refer back to their owner.
  ///
  ///     let classes = ClassTable()
  ///     try classes.register(Artwork.self)
  ///     let found = try Unarchiver(classes: classes).cyclicKeys(in: Museum.self)
  ///     XCTAssertEqual(found, [])
  ///
  /// The function follows the declared types of the root and of the classes that the unarchiver can build.
  /// The function reports properties with sets, dictionaries and other hashed collections.
  ///
  /// If a graph has such a cycle, a `hash(into:)` or `==` that visits the members of a set or dictionary
  /// recurses without end. The `hash(into:)` of a set does this. The writer of a file determines whether its
  /// graph has such a cycle, and no reader can detect the cycle in advance. Hash only values that do not
  /// refer to other objects, such as a name or a number. Spec: 07-limits, "What a reader promises".
  ///
  /// Types do not show what hand-written classes contain, or which values a `hash(into:)` uses. So the
  /// function also reports some safe properties, for example if the keys hash only an `ObjectIdentifier`.
  /// List the safe properties in the test, so that the test finds only new properties.
  ///
  /// - Parameter type: the type of the root.
  /// - Returns: the names of the properties as `Class.key`, sorted.
  /// - Throws: `ArchiveError` with code `notArchivable` if a class cannot be archived.
  /// - Complexity: O(classes · properties).
  public func cyclicKeys<Value: ArchivableValue>(in type: Value.Type) throws -> [String] {
    try cyclicKeysByTypes(from: type)
  }
}
