import XCTest

/// The name by which archives refer to a class.
final class ArchiveNameTests: XCTestCase {
  func testGenericClassIsNamedWithItsArguments() {
    assertExpansion(
      """
      @Archivable final class Box<Value: ArchivableValue, Key> where Key: Hashable {
        var value: Value
        init(_ value: Value) { self.value = value }
      }
      """,
      #"""
      final class Box<Value: ArchivableValue, Key> where Key: Hashable {
        var value: Value
        init(_ value: Value) { self.value = value }

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Box.self,
            name: "Box<\(Value.self), \(Key.self)>",
            properties: [
              Arc.ArchiveProperty("value", [], { (object: Box) in
                object.value
              }, { object, value in
                object.value = value
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.value = try decoder.value(0)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.value, at: 0)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.link(0, like: self.value) {
            self.value = value
          }
        }
      }

      extension Box: Arc.Archivable, Arc.ArchivableValue {
      }
      """#)
  }

  func testNestedClassIsNamedByItsPath() {
    assertExpansion(
      """
      extension Outer.Middle {
        enum Inner<T> {
          @Archivable final class Person {
            var age = 0
          }
        }
      }
      """,
      #"""
      extension Outer.Middle {
        enum Inner<T> {
          final class Person {
            var age = 0

            class var archiveSchema: Arc.ArchiveSchema {
              Arc.ArchiveSchema(
                Person.self,
                name: "Outer.Middle\(argumentsOf: Outer.Middle.self).Inner<\(T.self)>.Person",
                isFilledAfterInit: true,
                properties: [
                  Arc.ArchiveProperty("age", [.hasDefault], { (object: Person) in
                    object.age
                  }, { object, value in
                    object.age = value
                  })
                ]
              )
            }

            class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
              context.reference(to: Self.self)
            }

            required convenience init(from decoder: borrowing Arc.ObjectDecoder) throws {
              self.init()
            }

            func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
              try encoder.encode(self.age, at: 0)
            }

            func link(from decoder: borrowing Arc.ObjectDecoder) throws {
              if let value = try decoder.link(0, like: self.age) {
                self.age = value
              }
            }
          }
        }
      }

      extension Outer.Middle.Inner.Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """#)
  }

  func testExplicitNameReplacesThePathButKeepsTheArguments() {
    assertExpansion(
      #"""
      enum Outer {
        @Archivable("Crate \"1\"") final class Box<Value: ArchivableValue> {
          init() {}
        }
      }
      """#,
      #"""
      enum Outer {
        final class Box<Value: ArchivableValue> {
          init() {}

          class var archiveSchema: Arc.ArchiveSchema {
            Arc.ArchiveSchema(
              Box.self,
              name: "Crate \"1\"<\(Value.self)>",
              properties: []
            )
          }

          class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
            context.reference(to: Self.self)
          }

          required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          }

          func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          }

          func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          }
        }
      }

      extension Outer.Box: Arc.Archivable, Arc.ArchivableValue {
      }
      """#)
  }
}
