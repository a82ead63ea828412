import Arc
import ArcJSON
import ArcModel

/// One feature of the mapping: a text of objects that use it, and how they are read and written.
struct Feature {
  let name: String
  let text: Lazily<[UInt8]>
  /// What is written of the objects that were read.
  let written: Lazily<[UInt8]>
  let reading: ModelWorkload.Way
  let writing: ModelWorkload.Way
  /// Whether writing differs from that of plain objects.
  let isWriterTimed: Bool
  /// Throws if the objects are not what the text says, or are not written as they should be.
  let verify: () throws -> Void

  /// A feature with the text of an array of objects. What is written of these has the same members as the
  /// text, unless it is said to be another. `isRight` tells whether an object is what the text says.
  init<Model: Archivable>(
    _ name: String, _ type: Model.Type, reader: ModelReader = ModelReader(),
    writer: ModelWriter = ModelWriter(), isWriterTimed: Bool = true,
    text makeText: @autoclosure @escaping () throws -> String,
    writtenAs makeWritten: @autoclosure @escaping () -> String? = nil,
    isRight: @escaping (Model) -> Bool
  ) {
    let text = Lazily { Array(try makeText().utf8) }
    let objects = Lazily { try reader.read([Model].self, from: text.value()) }
    let written = Lazily { try writer.bytes(of: objects.value()) }
    (self.name, self.text, self.written, self.isWriterTimed) = (name, text, written, isWriterTimed)
    reading = ModelWorkload.Way(name: name) { try reader.read([Model].self, from: text.value()) }
    writing = ModelWorkload.Way(name: name) { try writer.bytes(of: objects.value()) }
    verify = {
      guard try objects.value().allSatisfy(isRight) else {
        throw WrongResult(description: "\(name): an object is not what the text says")
      }
      let wanted = try makeWritten().map { Array($0.utf8) } ?? text.value()
      guard try JSONValue(utf8: written.value()) == JSONValue(utf8: wanted) else {
        throw WrongResult(description: "\(name): the objects are written as another text")
      }
      let again = try reader.read([Model].self, from: written.value())
      guard try ObjectGraph.isIsomorphic(objects.value(), again) else {
        throw WrongResult(description: "\(name): what was written is read as other objects")
      }
    }
  }
}

extension JSONValue {
  /// The value of a JSON text.
  init(utf8 bytes: [UInt8]) throws { try self.init(parsing: String(decoding: bytes, as: UTF8.self)) }
}
