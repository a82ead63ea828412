import ArcFormat
public import ArcRuntime

extension ArchiveFile {
  /// The classes of the file as `ClassInfo`, in the order of the class table.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     for info in file.classInfos {
  ///       print(info.name, info.allProperties.count)
  ///     }
  ///
  /// The class of the roots is not included. A superclass precedes its subclasses in the array. If the file
  /// contains objects of a class only as objects of subclasses, the `ClassInfo` of this class contains only
  /// the properties that the file stores for these objects. For a class with the flag `codedByHand`, the
  /// properties are the keys that its hand-written coding used.
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
      // A superclass precedes its subclasses in the table (rule C2), so `infos` already contains it.
      let superclass = description.superclassIndex.flatMap { $0 < infos.count ? infos[$0] : nil }
      let isKeyed = description.columns.contains { $0.flags.contains(.keyed) }
      infos.append(
        ClassInfo(
          name: description.name, superclass: superclass, version: description.version,
          properties: properties[index] ?? [],
          flags: isKeyed ? [.foreign, .codedByHand] : .foreign))
    }
    return infos.compactMap { $0 }
  }
}
