/// The content of an object that becomes a row.
enum ObjectSource {
  /// An archived object.
  case archived(uid: Int)
  /// An array, set or dictionary that the file stores without an object.
  case container(node: Int)
  /// A dictionary whose entries become the properties of an object of a program's class. `ofObject` is the
  /// index of the dictionary's object, and `classIndex` is the index of the class in the graph.
  case properties(ofObject: Int, classIndex: Int)
  /// A value in a property of type `Any`. The archive stores it in a box; `classIndex` is the class of the
  /// box.
  case box(ImportedValue, classIndex: Int)
}

/// An object that the reader creates from a value of the file: a box, or an object with a dictionary's
/// entries as properties. Equal values of the file have one such object per class.
struct ConvertedObject: Hashable {
  let value: ImportedValue
  let classIndex: Int
}

extension KeyedGraphReader {
  /// Adds an object without a row. Returns its index.
  mutating func addObject(_ source: ObjectSource) -> Int {
    sources.append(source)
    graph.rowOfObject.append(-1)
    return sources.count - 1
  }

  /// Returns the index of the object with a UID. Adds the object if it is new.
  mutating func object(ofUID uid: Int) -> Int {
    if objectOfUID[uid] >= 0 { return Int(objectOfUID[uid]) }
    let object = addObject(.archived(uid: uid))
    objectOfUID[uid] = Int32(truncatingIfNeeded: object)
    return object
  }

  /// Returns the index of the object for a container. Adds the object if it is new.
  mutating func object(ofNode node: Int) -> Int {
    if objectOfNode[node] >= 0 { return Int(objectOfNode[node]) }
    let object = addObject(.container(node: node))
    objectOfNode[node] = Int32(truncatingIfNeeded: object)
    return object
  }

  /// Converts a value to an object of a class. Returns the index of the object. Adds the object unless an
  /// equal value was already converted for the same class.
  mutating func object(_ source: ObjectSource, from value: ImportedValue, classIndex: Int) -> Int {
    let converted = ConvertedObject(value: value, classIndex: classIndex)
    if let known = convertedObjects[converted] { return known }
    let object = addObject(source)
    convertedObjects[converted] = object
    return object
  }

  /// Returns the node with the content of an object. For a box without a node, returns the outermost node.
  func node(ofObject object: Int) -> Int {
    switch sources[object] {
    case .archived(let uid): Int(objects[uid])
    case .container(let node): node
    case .properties(let dictionary, _): node(ofObject: dictionary)
    case .box(let value, _):
      switch value.kind {
      case .object: node(ofObject: Int(value.index))
      case .bool, .integer, .real, .date, .string, .data, .uuid: Int(value.index)
      case .nothing, .null, .url, .decimal, .list, .dictionary, .structure, .missing: graph.list.top
      }
    }
  }

  func byteOffset(of object: Int) -> Int { graph.list.byteOffsets[node(ofObject: object)] }

  /// Returns the UID of an object in its archive. Nil for a value that the file stores without an object.
  func uid(ofObject object: Int) -> Int? {
    switch sources[object] {
    case .archived(let uid): number(ofUID: uid)
    case .container: nil
    case .properties(let dictionary, _): uid(ofObject: dictionary)
    case .box(let value, _): value.kind == .object ? uid(ofObject: Int(value.index)) : nil
    }
  }

  /// Returns the UID of an object within its own archive. In the reader's list, the UIDs of an inner archive
  /// follow earlier UIDs; in the inner archive, they begin with 0.
  func number(ofUID uid: Int) -> Int { uid - (firstUIDs.last { $0 <= uid } ?? 0) }
}
