public import Arc

extension Unarchiver {
  /// Finds each property whose set or dictionary can contain an element or key that refers back to the same
  /// object.
  ///
  ///     let classes = ClassTable()
  ///     try classes.register(Artwork.self)
  ///     let found = try Unarchiver(classes: classes).cyclicKeys(in: Museum.self)
  ///     XCTAssertEqual(found, [])
  ///
  /// The method follows the declared types of the root, and of the classes that the unarchiver can build. The
  /// method inspects properties with sets, dictionaries and other hashed collections.
  ///
  /// A file can contain a set with an element that refers back to the set. If the `hash(into:)` or `==` of
  /// the element then visits the set, the recursion does not end. The writer of the file determines whether
  /// the file contains such a cycle, and no reader can detect the cycle in advance. So hash only values that
  /// do not refer to other objects, such as a name or a number. Spec: 07-limits, "What a reader promises".
  ///
  /// Types do not show what classes with hand-written coding contain, or which values a `hash(into:)` uses.
  /// So the method also reports some safe properties, for example if the keys are hashed only by an
  /// `ObjectIdentifier`. List the safe properties in the test, so that the test finds only new properties.
  ///
  /// - Parameter type: the type of the root.
  /// - Returns: the names of the properties as `Class.key`, sorted.
  /// - Throws: `ArchiveError` with code `notArchivable` if a class cannot be archived.
  /// - Complexity: O(classes · properties).
  public func cyclicKeys<Value: ArchivableValue>(in type: Value.Type) throws -> [String] {
    try cyclicKeysByTypes(from: type)
  }
}
