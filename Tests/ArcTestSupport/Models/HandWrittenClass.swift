package import Arc

/// A final class with hand-written coding, which implements only the parts that a test needs.
package protocol HandWrittenClass: Archivable {}

extension HandWrittenClass {
  package func encode(to encoder: borrowing ObjectEncoder) throws {}
  package func link(from decoder: borrowing ObjectDecoder) throws {}
}
