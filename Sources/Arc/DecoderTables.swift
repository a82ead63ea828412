import ArcFormat

/// What it takes to read archives with one class table as certain roots: how the program's classes relate to the
/// file's, and columns for them. Serves one decoder after the other.
@safe final class DecoderTables: @unchecked Sendable {  // Belongs to who took it out of the pool.
  typealias Root = (name: String, type: any ArchivableValue.Type)

  /// What the caller asks for, and what else decides on how classes are found.
  struct Wish {
    let roots: [Root]
    let classes: ClassTable
    /// Of `classes`, before any class was looked for: what is registered later belongs to another version.
    let classesVersion: UInt64
    let limits: Limits
  }

  let file: FileTables
  let wish: Wish
  /// What generated code needs to read a reference; columns lead to it.
  let references: UnsafeMutablePointer<ReferenceReader>
  /// Readers by index in the file's class table; nil for classes that had no rows so far.
  var readers: [ClassReader?]
  /// The columns of the roots.
  var rootSet: ColumnReaderSet?
  /// Who may touch the values of the roots.
  var rootIsolation = ActorIsolation(mainActorType: nil)

  init(_ file: FileTables, _ wish: Wish) {
    self.file = file
    self.wish = wish
    readers = Array(repeating: nil, count: file.classes.count)
    unsafe references = .allocate(capacity: 1)
    unsafe references.initialize(to: ReferenceReader())
  }

  deinit {
    unsafe references.pointee.objects.releaseAll()
    unsafe references.pointee.free()
    unsafe references.deinitialize(count: 1)
    unsafe references.deallocate()
  }

  /// Whether all that the tables say follows from the class table.
  var areReusable: Bool { !readers.contains { $0?.keys != nil } }

  /// Forgets the archive that was read.
  func restart() {
    unsafe references.pointee.finish()
    for case let reader? in readers { reader.set.unbind() }
    rootSet?.unbind()
  }
}
