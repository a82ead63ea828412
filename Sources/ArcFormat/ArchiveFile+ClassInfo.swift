public import ArcRuntime

extension ArchiveFile {
  /// What the file tells of its classes, in the order of the class table, without the class of the roots.
  ///
  /// Each superclass is the description of another class in the list. A class of which there is no object is known
  /// by what its subclasses inherit from it. O(columns of all classes).
  ///
  ///     for info in try ArchiveFile(bytes: bytes).classInfos { print(info.name, info.allProperties.count) }
  public var classInfos: [ClassInfo] {
    var seen: Set<ColumnDescription> = []
    var properties: [Int: [PropertyInfo]] = [:]
    for column in classes.lazy.flatMap(\.columns) where seen.insert(column).inserted {
      properties[column.declaringClass, default: []].append(
        PropertyInfo(name: column.key, attributes: column.attributes))
    }
    var infos: [ClassInfo?] = [nil]
    for (index, description) in classes.enumerated().dropFirst() {
      // Superclasses stand earlier in the table [C2], so theirs is there.
      let superclass = description.superclass.flatMap { $0 < infos.count ? infos[$0] : nil }
      let isKeyed = description.columns.contains { $0.flags.contains(.keyed) }
      infos.append(
        ClassInfo(
          name: description.name, superclass: superclass, properties: properties[index] ?? [],
          flags: isKeyed ? [.foreign, .codedByHand] : .foreign))
    }
    return infos.compactMap { $0 }
  }
}
