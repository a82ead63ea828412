public import Arc

extension Archivable {
  /// A mirror of what is archived of the object: its properties by their names, those of superclasses first.
  ///
  ///     extension User: CustomReflectable { var customMirror: Mirror { modelMirror } }
  ///     dump(user, maxDepth: 3)
  ///
  /// With that, `dump` and debuggers show what the model says and nothing else. It is as deep as one asks:
  /// values are those of the properties, and no object inside is looked at; `dump` ends at cycles itself.
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
