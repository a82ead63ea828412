// `@Archivable` sees the body of a class but not its extensions. So `archiveVersion` and `migrate(_:from:)`
// would be ignored if they were declared in an extension. Generated code passes both members to the functions
// here, so that the compiler reports misplaced members. The functions are never called at run time.

/// The type of `archiveVersion`, and of the result of `migrate(_:from:)`, for a class that declares neither.
@_documentation(visibility: internal)
public struct __Undeclared: Sendable {}

extension Archivable {
  /// The default for a class that does not declare `archiveVersion`.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public static var archiveVersion: __Undeclared { __Undeclared() }

  /// The default for a class that does not declare `migrate(_:from:)`.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public static func migrate(_ object: inout MigratedObject, from version: Int) -> __Undeclared {
    __Undeclared()
  }
}

/// Checks that an extension does not declare `archiveVersion` or `migrate(_:from:)`. If the body of a class
/// does not declare one of these members, generated code calls the functions for this member.
@_documentation(visibility: internal)
public enum __VersionCheck {
  /// The type that `version(_:)` or `migration(_:)` returns if the class has the checked member
  /// (`archiveVersion` or `migrate`), although the body of the class does not declare the member.
  public struct Declared: Sendable {}

  /// Returns a value whose type shows that the class does not declare `archiveVersion`.
  public static func version(_ found: __Undeclared) -> __Undeclared { found }
  /// Returns a value whose type shows that the class has an `archiveVersion`.
  @_disfavoredOverload
  public static func version<Version>(_ found: Version) -> Declared { Declared() }

  /// Returns a value whose type shows that the class does not declare `migrate(_:from:)`. The function is
  /// declared to throw, because a `migrate(_:from:)` may throw.
  public static func migration(_ result: __Undeclared) throws -> __Undeclared { result }
  /// Returns a value whose type shows that the class has a `migrate(_:from:)`. The function is declared to
  /// throw, because a `migrate(_:from:)` may throw.
  public static func migration(_ result: Void) throws -> Declared { Declared() }

  /// Accepts a class if no extension declares the checked member (`archiveVersion` or `migrate(_:from:)`).
  public static func check(_ own: __Undeclared) {}
  /// Refuses a class if an extension declares the checked member (`archiveVersion` or `migrate(_:from:)`).
  @available(
    *, unavailable, message: "move archiveVersion and migrate(_:from:) from the extension into the class"
  )
  public static func check(_ own: Declared) {}

  /// Accepts a subclass if neither an extension nor a superclass declares the checked member
  /// (`archiveVersion` or `migrate(_:from:)`).
  public static func check(_ own: __Undeclared, inherited: __Undeclared) {}
  /// Accepts a subclass that inherits the checked member (`archiveVersion` or `migrate(_:from:)`).
  public static func check(_ own: Declared, inherited: Declared) {}
  /// Refuses a subclass if an extension declares the checked member (`archiveVersion` or
  /// `migrate(_:from:)`).
  @available(
    *, unavailable, message: "move archiveVersion and migrate(_:from:) from the extension into the class"
  )
  public static func check(_ own: Declared, inherited: __Undeclared) {}
}
