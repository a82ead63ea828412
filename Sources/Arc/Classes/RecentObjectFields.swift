import ArcMemory
import Synchronization

/// The fields of recently used classes. They are found without a lock and without counting a reference.
///
/// Invariant: each slot contains 0, or the address of an object that was passed to `put(_:)` and is never
/// released.
@safe struct RecentObjectFields: @unchecked Sendable {  // Slots are accessed atomically.
  private let slots: UnsafeMutablePointer<Atomic<UInt>>

  init() {
    unsafe slots = .allocate(capacity: RecentClasses.count)
    for index in 0..<RecentClasses.count { unsafe (slots + index).initialize(to: Atomic(0)) }
  }

  /// Stores the fields of a class in the class's slot. If the slot contains the fields of another class,
  /// replaces them.
  func put(_ fields: ObjectFields) {
    let address = unsafe Unmanaged.passUnretained(fields).address
    unsafe slots[Self.index(of: fields.type)].store(address, ordering: .releasing)
  }

  /// Returns the fields of a class. Nil if the class's slot does not contain them.
  @inline(__always) func fields(of type: ObjectIdentifier) -> Unmanaged<ObjectFields>? {
    let address = unsafe slots[Self.index(of: type)].load(ordering: .acquiring)
    guard let object = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    let fields = unsafe Unmanaged<ObjectFields>.fromOpaque(object)
    return unsafe fields._withUnsafeGuaranteedRef { $0.type == type } ? fields : nil
  }

  @inline(__always) private static func index(of type: ObjectIdentifier) -> Int {
    RecentClasses.index(of: UInt(bitPattern: type))
  }
}
