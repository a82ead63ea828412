public import Arc

extension Archivable {
  /// A mirror of the archived properties of the object, beginning with the properties of superclasses.
  ///
  ///     extension User: CustomReflectable { var customMirror: Mirror { modelMirror } }
  ///     dump(user, maxDepth: 3)
  ///
  /// With this conformance, `dump` and debuggers show only the archived properties. Each child of the mirror
  /// is the name and value of a property. The mirror does not contain mirrors of nested objects: `dump`
  /// creates these mirrors, and stops at cycles.
  ///
  /// - Complexity: O(properties).
  public var modelMirror: Mirror {
    let children = type(of: self).archiveSchema.lineage.reversed().flatMap { level in
      level.properties.map { property -> Mirror.Child in
        // A property that is nil is a child too.
        (property.name, (try? value(forKey: "\(level.name).\(property.name)")) ?? (Any?.none as Any))
      }
    }
    return Mirror(self, children: children, displayStyle: .class, ancestorRepresentation: .suppressed)
  }
}
