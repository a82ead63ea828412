public import Arc

extension Archivable {
  /// A mirror of the archived properties of the object, beginning with the properties of superclasses.
  ///
  ///     extension User: CustomReflectable { var customMirror: Mirror { modelMirror } }
  ///     dump(user, maxDepth: 3)
  ///
  /// With this conformance, `dump` and debuggers show only the model's properties. The children of the mirror
  /// are the values of the properties, without mirrors of nested objects. `dump` itself stops at cycles.
  ///
  /// - Complexity: O(properties).
  public var modelMirror: Mirror {
    let children = type(of: self).archiveSchema.lineage.reversed().flatMap { level in
      level.properties.map { property -> Mirror.Child in
        // Nil is a child too.
        (property.name, (try? value(forKey: "\(level.name).\(property.name)")) ?? (Any?.none as Any))
      }
    }
    return Mirror(self, children: children, displayStyle: .class, ancestorRepresentation: .suppressed)
  }
}
