/// A selection of objects in a graph, by class or by property.
///
///     let selection: [GraphSelection] = [.objects(of: Image.self), .property("book", of: Page.self)]
///     let page = try ObjectGraph.copy(page, sharing: selection)
///
/// A copy can share the selected objects with the graph, see ``ObjectGraph/copy(_:sharing:userInfo:)``.
/// Reading a part of a file can leave out the selected objects, see ``LazyArchive``.
public struct GraphSelection: @unchecked Sendable {  // Metatypes do not change.
  enum Kind {
    case objects([any Archivable.Type])
    case property(String, of: any Archivable.Type)
  }
  let kind: Kind

  /// Selects all objects of some classes and of their subclasses. Returns the selection.
  ///
  ///     let page = try ObjectGraph.copy(page, sharing: [.objects(of: Image.self, Font.self)])
  ///
  /// - Parameter classes: the classes.
  /// - Returns: the selection.
  public static func objects(of classes: any Archivable.Type...) -> GraphSelection {
    GraphSelection(kind: .objects(classes))
  }

  /// Selects the objects that a property reaches, except objects that the rest of the graph also reaches.
  /// Returns the selection.
  ///
  ///     let folder = try ObjectGraph.copy(folder, sharing: [.property("parent", of: Folder.self)])
  ///
  /// In the example, the copied folder refers to the parent of the original folder. The parent is not copied.
  /// The folders in the folder are copied. If the selected property is weak, the property of the copy refers
  /// to the target of the original property.
  ///
  /// - Parameters:
  ///   - name: the name of the property, or the key in a hand-written class.
  ///   - type: the class that has the property. Subclasses are included.
  /// - Returns: the selection.
  public static func property(_ name: String, of type: any Archivable.Type) -> GraphSelection {
    GraphSelection(kind: .property(name, of: type))
  }
}
