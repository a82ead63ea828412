public import ArcRuntime

extension ArchiveFile {
  /// The classes of the file, in the order of its class table, without the class of the roots.
  ///
  /// Each superclass is the description of another class in the list. A class without objects is known by the
  /// properties that its subclasses inherit.
  ///
  ///     for info in try ArchiveFile(bytes: bytes).classInfos { print(info.name, info.allProperties.count) }
  ///
  /// - Complexity: O(*n*) in the number of columns of all classes.
  public var classInfos: [ClassInfo] {
    var seen: Set<ColumnDescription> = []
    var properties: [Int: [PropertyInfo]] = [:]
    for column in classes.lazy.flatMap(\.columns) where seen.insert(column).inserted {
      properties[column.declaringClassIndex, default: []].append(
        PropertyInfo(name: column.key, attributes: column.attributes))
    }
    var infos: [ClassInfo?] = [nil]
    for (index, description) in classes.enumerated().dropFirst() {
      // Superclasses are earlier in the table (rule C2), so theirs is in the list.
      let superclass = description.superclassIndex.flatMap { $0 < infos.count ? infos[$0] : nil }
      let isKeyed = description.columns.contains { $0.flags.contains(.keyed) }
      infos.append(
        ClassInfo(
          name: description.name, superclass: superclass, properties: properties[index] ?? [],
          flags: isKeyed ? [.foreign, .codedByHand] : .foreign))
    }
    return infos.compactMap { $0 }
  }
}
