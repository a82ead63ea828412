public import ArcFormat
import ArcRuntime

// Conditions with values of Swift types.

extension ArchiveRows {
  /// Selects the rows whose value in a column is within two bounds of a Swift type. Returns these rows.
  ///
  ///     let young = try people.where("born", atLeast: date)   // Date needs import Arc
  ///
  /// - Parameters:
  ///   - path: the key of the column, or the path of a field of structures in it.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - least: the minimum value; nil if there is no minimum.
  ///   - most: the maximum value; nil if there is no maximum.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: the errors of the overload for bounds of type `ArchiveValue`.
  public func `where`<Bound: ColumnValue & Comparable>(
    _ path: String, declaredBy className: String? = nil, atLeast least: Bound? = nil,
    atMost most: Bound? = nil
  ) throws -> ArchiveRows {
    try self.where(
      path, declaredBy: className, atLeast: least.flatMap { try ArchiveValue.converting([$0]).first },
      atMost: most.flatMap { try ArchiveValue.converting([$0]).first })
  }

  /// Selects the rows whose value in a column is equal to a value of a Swift type. Returns these rows.
  ///
  ///     let owners = try people.where("city", equals: city)
  ///
  /// - Parameters:
  ///   - path: the key of the column, or the path of a field of structures in it.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - value: the value to compare with.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: the errors of the overload for values of type `ArchiveValue`.
  public func `where`<Value: ColumnValue>(
    _ path: String, declaredBy className: String? = nil, equals value: Value
  ) throws -> ArchiveRows {
    try self.where(path, declaredBy: className, isIn: ArchiveValue.converting([value]))
  }

  /// Selects the rows whose value in a column is one of several values of a Swift type. Returns these rows.
  ///
  ///     let cities: Set = ["Delft", "Gouda"]
  ///     let owners = try people.where("address.city", isIn: cities)
  ///
  /// - Parameters:
  ///   - path: the key of the column, or the path of a field of structures in it.
  ///   - className: the class that declares the property; nil selects the first column with the key.
  ///   - values: the values, for example in a set or an array.
  /// - Returns: the selected rows, without reading them.
  /// - Throws: the errors of the overload for values of type `ArchiveValue`.
  public func `where`<Values: Sequence>(
    _ path: String, declaredBy className: String? = nil, isIn values: Values
  ) throws -> ArchiveRows where Values.Element: ColumnValue {
    try self.where(path, declaredBy: className, isIn: ArchiveValue.converting(Array(values)))
  }
}

extension ArchiveValue {
  /// Converts Swift values to values of an archive.
  ///
  /// - Throws: `typeMismatch` if the type contains structures, enumerations, sets or dictionaries.
  fileprivate static func converting<Value: ColumnValue>(_ values: [Value]) throws -> [ArchiveValue] {
    if let holder = Value.self as? any ReferenceHolder.Type {
      // A reference needs no object here, because only its number is compared with numbers in the file.
      var references = [ArchiveValue](repeating: .reference(nil), count: values.count)
      try holder.forEachReference(in: values) { index, id throws(ArchiveError) in
        references[index] = .reference(id)
      }
      return references
    }
    let builder = try ArchiveBuilder(roots: [])
    try builder.addClass("Values", properties: [.init("value", type: Value.self)])
    _ = try builder.addObjects(ofClass: "Values", columns: [.init("value", values)])
    return try ArchiveFile(bytes: builder.finish()).rows(ofClass: "Values").column("value")
  }
}
