import ArcFormat

/// The numbered objects of a graph. The list retains them, and grows without moving its elements.
///
/// Invariant: the first `count` elements of the chunks, in order, are retained objects. `last` is the chunk
/// with the last element.
@safe struct ObjectList {
  private static let chunkShift = 13
  private static let chunkLength = 1 << chunkShift

  private var chunks: [HandleBuffer<Unmanaged<AnyObject>>] = unsafe []
  private var last: HandleBuffer<Unmanaged<AnyObject>>?
  private(set) var count = 0

  init() { unsafe last = nil }

  /// Returns the object at an index below `count`.
  subscript(index: Int) -> Unmanaged<AnyObject> {
    precondition(index < count)
    return unsafe chunks[index >> Self.chunkShift][index & (Self.chunkLength - 1)]
  }

  /// Adds an object and retains it.
  mutating func append(_ object: Unmanaged<AnyObject>) {
    let index = count & (Self.chunkLength - 1)
    if index == 0 { beginChunk() }
    unsafe last?[index] = unsafe object.retain()
    count += 1
  }

  private mutating func beginChunk() {
    let number = count >> Self.chunkShift
    if unsafe chunks.count == number {
      unsafe chunks.append(HandleBuffer(uninitializedCount: Self.chunkLength))
    }
    unsafe last = unsafe chunks[number]
  }

  /// Releases all objects except the first `newCount` objects. The capacity is reused.
  mutating func removeAll(after newCount: Int) {
    while count > max(newCount, 0) {
      count -= 1
      unsafe chunks[count >> Self.chunkShift][count & (Self.chunkLength - 1)].release()
    }
    if count > 0 { unsafe last = unsafe chunks[(count - 1) >> Self.chunkShift] }
  }

  /// Releases all objects. Preserves the memory for the next graph if its capacity is small.
  mutating func removeAll() {
    guard unsafe chunks.count == 1 else { return free() }
    for index in 0..<count { unsafe self[index].release() }
    count = 0
  }

  /// Releases all objects and all memory.
  mutating func free() {
    for index in 0..<count { unsafe self[index].release() }
    for chunk in unsafe chunks.indices { unsafe chunks[chunk].free() }
    self = ObjectList()
  }
}
