public import Arc
public import ArcFormat
public import Foundation

extension CGFloat: ArchivableValue {
  /// The type encoding `d`, a 64-bit number.
  ///
  /// The encoding is the same if `CGFloat` has 32 bits, so that files do not depend on the machine.
  public static var __columnType: TypeEncoding { Double.__columnType }
  /// Reads a 64-bit number from the column. Rounds the number if `CGFloat` has 32 bits.
  @inlinable public static func __read(from column: ColumnReader) throws -> CGFloat {
    CGFloat(try Double.__read(from: column))
  }
  /// Appends the number in 64 bits to the column.
  ///
  /// The NaN payload and the sign of zero are preserved.
  @inlinable public func __write(to column: ColumnWriter) throws { try Double(self).__write(to: column) }
}

extension CGPoint: ArchivableValue {
  /// Returns the type encoding `{CGPoint="x"d"y"d}`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) { [context.field("x", \Self.x), context.field("y", \Self.y)] }
  }
  /// Reads both coordinates of the point from the column.
  @inlinable public static func __read(from column: ColumnReader) throws -> CGPoint {
    CGPoint(x: try column.value(0) as CGFloat, y: try column.value(1))
  }
  /// Appends both coordinates of the point to the column.
  @inlinable public func __write(to column: ColumnWriter) throws {
    try column.write(x, at: 0)
    try column.write(y, at: 1)
  }
}

extension CGSize: ArchivableValue {
  /// Returns the type encoding `{CGSize="width"d"height"d}`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [context.field("width", \Self.width), context.field("height", \Self.height)]
    }
  }
  /// Reads the width and the height from the column.
  @inlinable public static func __read(from column: ColumnReader) throws -> CGSize {
    CGSize(width: try column.value(0) as CGFloat, height: try column.value(1))
  }
  /// Appends the width and the height to the column.
  @inlinable public func __write(to column: ColumnWriter) throws {
    try column.write(width, at: 0)
    try column.write(height, at: 1)
  }
}

extension CGRect: ArchivableValue {
  /// Returns the type encoding `{CGRect="origin"{CGPoint="x"d"y"d}"size"{CGSize="width"d"height"d}}`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [context.field("origin", \Self.origin), context.field("size", \Self.size)]
    }
  }
  /// Reads the origin and the size from the column. The size may be negative.
  @inlinable public static func __read(from column: ColumnReader) throws -> CGRect {
    CGRect(origin: try column.value(0), size: try column.value(1))
  }
  /// Appends the origin and the size to the column, without standardizing the rectangle.
  @inlinable public func __write(to column: ColumnWriter) throws {
    try column.write(origin, at: 0)
    try column.write(size, at: 1)
  }
}

extension AffineTransform: __ArchivableByExactConversion {
  /// The archived form of a transform.
  @Archivable public struct ArchivedForm {
    var m11, m12, m21, m22, tX, tY: CGFloat
  }
  /// The archived form: the six coefficients.
  public var archivedForm: ArchivedForm {
    ArchivedForm(m11: m11, m12: m12, m21: m21, m22: m22, tX: tX, tY: tY)
  }
  /// Creates a transform from its six coefficients.
  public init(archivedForm form: ArchivedForm) {
    self.init(m11: form.m11, m12: form.m12, m21: form.m21, m22: form.m22, tX: form.tX, tY: form.tY)
  }
}

#if canImport(CoreGraphics)
  public import CoreGraphics

  extension CGVector: __ArchivableByExactConversion {
    /// The archived form of a vector.
    @Archivable public struct ArchivedForm {
      var dx, dy: CGFloat
    }
    /// The archived form: both components, `{CGVector="dx"d"dy"d}`.
    public var archivedForm: ArchivedForm { ArchivedForm(dx: dx, dy: dy) }
    /// Creates a vector from its components.
    public init(archivedForm: ArchivedForm) { self.init(dx: archivedForm.dx, dy: archivedForm.dy) }
  }

  extension CGAffineTransform: __ArchivableByExactConversion {
    /// The archived form of a transform.
    @Archivable public struct ArchivedForm {
      var a, b, c, d, tx, ty: CGFloat
    }
    /// The archived form: the six coefficients, `{CGAffineTransform="a"d"b"d"c"d"d"d"tx"d"ty"d}`.
    public var archivedForm: ArchivedForm { ArchivedForm(a: a, b: b, c: c, d: d, tx: tx, ty: ty) }
    /// Creates a transform from its six coefficients.
    public init(archivedForm form: ArchivedForm) {
      self.init(a: form.a, b: form.b, c: form.c, d: form.d, tx: form.tx, ty: form.ty)
    }
  }
#endif
