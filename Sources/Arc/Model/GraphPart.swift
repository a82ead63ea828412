/// A part of a graph that is treated apart: what a copy shares with it, see
/// ``deepCopy(_:sharing:userInfo:)``, or what is left out when a part of a file is read, see
/// ``ArchiveSession``.
public struct GraphPart: @unchecked Sendable {  // Metatypes do not change.
  enum Kind {
    case objects([any Archivable.Type])
    case property(String, of: any Archivable.Type)
  }
  let kind: Kind

  /// All objects of some classes and of their subclasses, wherever they are reached.
  ///
  ///     try deepCopy(page, sharing: [.objects(of: Image.self, Font.self)])
  public static func objects(of classes: any Archivable.Type...) -> GraphPart {
    GraphPart(kind: .objects(classes))
  }

  /// The objects that a property leads to, directly and through others, unless something else in the graph
  /// leads to them, too: these belong to the rest, and the property leads to them there.
  ///
  ///     try deepCopy(folder, sharing: [.property("parent", of: Folder.self)])
  ///
  /// So the copy of a folder is in the same parent, which is not copied, and folders in it are in the copy. A
  /// weak property that stays shared keeps its target in the copy.
  ///
  /// - Parameters:
  ///   - name: the name of the property, or the key of a class that is coded by hand.
  ///   - type: the class that has the property, also in its subclasses.
  /// - Returns: the part.
  public static func property(_ name: String, of type: any Archivable.Type) -> GraphPart {
    GraphPart(kind: .property(name, of: type))
  }
}
