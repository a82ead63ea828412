import ArcFormat
import ArcRuntime

/// The location of values in the rows of a class: a column, or a field of the structures in a column.
struct ColumnPath {
  /// The index of the column in its class.
  let position: Int
  /// The labels of the fields, from the outermost structure on.
  let fields: [String]
}

extension ArchiveFile {
  /// Returns the index of a column in a class. If several columns have the key, the first is used.
  ///
  /// - Parameters:
  ///   - key: the key of the column.
  ///   - className: the class that declares the property; nil if any class may declare it.
  ///   - index: the index of the class.
  ///   - base: the index of a superclass; only the columns that this superclass declares or inherits are
  ///     searched. Nil if all columns are searched.
  /// - Returns: the index of the column; nil if there is no such column.
  func columnPosition(
    _ key: String, declaredBy className: String?, inClass index: Int, inheritedFrom base: Int? = nil
  ) -> Int? {
    classes[index].columns.firstIndex { column in
      column.key.hasSameBytes(as: key)
        && className?.hasSameBytes(as: classes[column.declaringClassIndex].name) ?? true
        && base.map { schema.hierarchy.isClass($0, orSubclassOf: column.declaringClassIndex) } ?? true
    }
  }

  /// Finds the column and the fields that a path such as `address.city` names in a class.
  ///
  /// A key may contain points. The longest prefix of the path that is a key is used.
  ///
  /// - Returns: the path; nil if the class has no such column.
  /// - Throws: `missingKey` if a structure has no such field, `typeMismatch` if a value has no fields.
  func columnPath(
    _ path: String, declaredBy className: String?, inClass index: Int, inheritedFrom base: Int
  ) throws(ArchiveError) -> ColumnPath? {
    func position(_ key: String) -> Int? {
      columnPosition(key, declaredBy: className, inClass: index, inheritedFrom: base)
    }
    if let position = position(path) { return ColumnPath(position: position, fields: []) }
    let bytes = Array(path.utf8)
    for end in bytes.indices.reversed() where bytes[end] == UInt8(ascii: ".") {
      guard let position = position(String(decoding: bytes[..<end], as: UTF8.self)) else { continue }
      let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      let found = ColumnPath(position: position, fields: fields.map { String(decoding: $0, as: UTF8.self) })
      _ = try node(of: found, inClass: index)
      return found
    }
    return nil
  }

  /// Returns the node of the values at a path in the layout of a class. For optionals, the node of the
  /// wrapped values is returned.
  ///
  /// - Throws: `missingKey` if a structure has no such field, `typeMismatch` if a value has no fields.
  func node(of path: ColumnPath, inClass index: Int) throws(ArchiveError) -> Int {
    let layout = layouts[index]
    var node = layout.innermost(layout.roots[path.position])
    for field in path.fields {
      let structure = layout.nodes[node]
      let location = { [self] (error: ArchiveError) in
        error.located(className: classes[index].name, key: classes[index].columns[path.position].key)
      }
      guard structure.kind == .structure, !structure.isRecursive else {
        let isStructure = structure.kind == .structure
        throw location(
          ArchiveError(
            .typeMismatch,
            found: "the field '\(printableName(field))' of "
              + (isStructure
                ? "a structure whose type contains itself" : "a value of kind '\(structure.kind)'"),
            expected: isStructure
              ? "a field of a structure whose type does not contain itself"
              : "a path in which each field belongs to a structure",
            remedy: "read the column as ArchiveValue, which can hold every type"))
      }
      guard let position = structure.labels.firstIndex(where: { $0.hasSameBytes(as: field) }) else {
        throw location(
          ArchiveError(
            .missingKey, found: "no field '\(printableName(field))'",
            expected: "one of the fields \(Self.listed(structure.labels))"))
      }
      node = layout.innermost(structure.children[position])
    }
    return node
  }

  /// Returns the error for a column that no class has. The error lists the keys of the classes.
  func missingColumn(
    _ key: String, declaredBy className: String?, inClasses indices: [Int], inheritedFrom base: Int? = nil
  ) -> ArchiveError {
    var keys: [String] = []
    for index in indices {
      for column in classes[index].columns
      where columnPosition(column.key, declaredBy: nil, inClass: index, inheritedFrom: base) != nil
        && !keys.contains(where: { $0.hasSameBytes(as: column.key) }) && keys.count <= Self.listLength
      {
        keys.append(column.key)
      }
    }
    return ArchiveError(
      .missingKey,
      found: "no column '\(printableName(key))'"
        + (className.map { " that class '\(printableName($0))' declares" } ?? ""),
      expected: keys.isEmpty
        ? "a class with columns" : "one of the keys \(Self.listed(keys))",
      className: (base ?? indices.first).map { classes[$0].name }, key: key)
  }

  /// The maximum number of names in an error message.
  private static let listLength = 20

  /// Formats names as a list for an error message.
  static func listed(_ names: some Collection<String>) -> String {
    names.prefix(listLength).map { "'\(printableName($0))'" }.joined(separator: ", ")
      + (names.count > listLength ? ", …" : "")
  }
}

extension ColumnLayout {
  /// Returns the node inside all optionals of a node. If the node is not an optional, returns the node
  /// itself.
  func innermost(_ node: Int) -> Int {
    var node = node
    while nodes[node].kind == .optional, let wrapped = nodes[node].children.first, wrapped > node {
      node = wrapped
    }
    return node
  }
}

extension ArchiveColumn {
  /// Returns the column of a field. The path to the field may contain optionals.
  ///
  /// - Parameter fields: the labels of the fields, from the outermost structure on.
  /// - Returns: the column of the innermost field. `presence` contains, for each value of `self`, whether the
  ///   value has the field. `presence` is nil if all values have the field.
  /// - Throws: `typeMismatch` if there is no such field.
  func nested(_ fields: [String]) throws(ArchiveError) -> (column: ArchiveColumn, presence: [Bool]?) {
    var column = self
    var presence: [Bool]?
    for field in fields {
      while column.kind == .optional {
        let inner = try column.presence()
        presence = presence.map { Self.spread(inner, over: $0, absent: false) } ?? inner
        column = try column.wrapped
      }
      column = try column.field(field)
    }
    return (column, presence)
  }

  /// Returns one value for each element of `presence`: for true, the next element of `values`; for false,
  /// `absent`.
  static func spread<Value>(_ values: [Value], over presence: [Bool]?, absent: Value) -> [Value] {
    guard let presence else { return values }
    var values = values[...]
    return presence.map { $0 ? values.popFirst() ?? absent : absent }
  }
}
