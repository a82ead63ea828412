import Arc
import ArcJSON
import ArcModel

/// One feature of the mapping: a text of objects that use it, and how the text is read and written.
struct Feature {
  let name: String
  let text: Lazily<[UInt8]>
  /// The text that the writer creates from the objects.
  let written: Lazily<[UInt8]>
  let reading: ModelWorkload.Implementation
  let writing: ModelWorkload.Implementation
  /// Whether writing is timed, because it differs from writing objects without features.
  let isWriterTimed: Bool
  /// Throws if the objects differ from the text, or are written incorrectly.
  let verify: () throws -> Void

  /// Creates a feature with the text of an array of objects.
  ///
  /// The written text must have the same members as the text, unless `makeWritten` returns another text.
  /// `isRight` returns whether an object matches the text.
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
    reading = ModelWorkload.Implementation(name: name) { try reader.read([Model].self, from: text.value()) }
    writing = ModelWorkload.Implementation(name: name) { try writer.bytes(of: objects.value()) }
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
  /// Creates a value from a JSON text.
  init(utf8 bytes: [UInt8]) throws { try self.init(parsing: String(decoding: bytes, as: UTF8.self)) }
}
