import ArcFormat

/// What it takes to read archives with one class table as certain roots: how the program's classes relate to the
/// file's, and columns for them. Serves one decoder after the other.
@safe final class DecoderTables: @unchecked Sendable {  // Belongs to who took it out of the pool.
  /// The roots that the caller asks for, and what else decides on how classes are found.
  struct Wish {
    let roots: [(name: String, type: any ArchivableValue.Type)]
    let classes: ClassTable
    let classesVersion: UInt64
    let limits: Limits

    init(_ roots: [(name: String, type: any ArchivableValue.Type)], _ classes: ClassTable, _ limits: Limits) {
      self.roots = roots
      self.classes = classes
      // Before any class is looked for: what is registered later belongs to another version.
      classesVersion = classes.version
      self.limits = limits
    }
  }

  let file: FileTables
  private let roots: [(name: String, type: any ArchivableValue.Type)]
  private let classesVersion: UInt64
  private let limits: Limits
  /// What generated code needs to read a reference; columns lead to it.
  let references: UnsafeMutablePointer<ReferenceReader>
  /// Readers by index in the file's class table; nil for classes that had no rows so far.
  var readers: [ClassReader?]
  /// Rows of each class in the archive.
  var rowCounts: [Int]
  /// The columns of the roots.
  var rootSet: ColumnReaderSet?

  init(_ file: FileTables, _ wish: Wish) {
    self.file = file
    roots = wish.roots
    classesVersion = wish.classesVersion
    limits = wish.limits
    readers = Array(repeating: nil, count: file.classes.count)
    rowCounts = Array(repeating: 0, count: file.classes.count)
    unsafe references = .allocate(capacity: 1)
    unsafe references.initialize(to: ReferenceReader())
  }

  deinit {
    unsafe references.pointee.objects.releaseAll()
    unsafe references.pointee.free()
    unsafe references.deinitialize(count: 1)
    unsafe references.deallocate()
  }

  /// Whether the tables were made for such a wish.
  func fit(_ wish: Wish) -> Bool {
    guard wish.classesVersion == classesVersion, wish.roots.count == roots.count, wish.limits == limits else {
      return false
    }
    for index in roots.indices {
      let (wanted, known) = (wish.roots[index], roots[index])
      guard wanted.type == known.type, wanted.name == known.name else { return false }
    }
    return true
  }

  /// Whether all that the tables say follows from the class table.
  var areReusable: Bool { !readers.contains { $0?.keys != nil } }

  /// Forgets the archive that was read.
  func restart() {
    unsafe references.pointee.finish()
    for case let reader? in readers { reader.set.unbind() }
    rootSet?.unbind()
    file.restart()
  }
}
