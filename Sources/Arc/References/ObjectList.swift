/// The numbered objects of a graph, each kept alive. Grows without moving its elements.
///
/// Invariant: the first `count` elements of the chunks, in order, are retained objects; `cursor` is the next
/// element and `end` the end of the last chunk, both the same address where the capacity is used up.
@safe struct ObjectList {
  private static let chunkShift = 13
  private static let chunkLength = 1 << chunkShift

  private var chunks: [UnsafeMutablePointer<Unmanaged<AnyObject>>] = unsafe []
  private var cursor: UnsafeMutablePointer<Unmanaged<AnyObject>>?
  private var end: UnsafeMutablePointer<Unmanaged<AnyObject>>?
  private(set) var count = 0

  init() { unsafe (cursor, end) = (nil, nil) }

  /// The object at an index, which must be below `count`.
  subscript(index: Int) -> Unmanaged<AnyObject> {
    precondition(index < count)
    return unsafe chunks[index >> Self.chunkShift][index & (Self.chunkLength - 1)]
  }

  /// Adds an object and keeps it alive.
  mutating func append(_ object: Unmanaged<AnyObject>) {
    if unsafe cursor == end { addChunk() }
    unsafe cursor?.initialize(to: object.retain())
    unsafe cursor = unsafe cursor.map { unsafe $0 + 1 }
    count += 1
  }

  private mutating func addChunk() {
    let chunk = UnsafeMutablePointer<Unmanaged<AnyObject>>.allocate(capacity: Self.chunkLength)
    unsafe chunks.append(chunk)
    unsafe cursor = unsafe chunk
    unsafe end = unsafe chunk + Self.chunkLength
  }

  /// Releases all objects; keeps a small capacity.
  mutating func reset() {
    guard unsafe chunks.count == 1 else { return removeAll() }
    for index in 0..<count { unsafe self[index].release() }
    count = 0
    unsafe cursor = unsafe chunks[0]
  }

  /// Releases all objects and all memory.
  mutating func removeAll() {
    for index in 0..<count { unsafe self[index].release() }
    for chunk in unsafe chunks.indices { unsafe chunks[chunk].deallocate() }
    self = ObjectList()
  }
}
