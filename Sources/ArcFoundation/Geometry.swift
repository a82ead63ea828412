public import Arc
public import ArcFormat
public import Foundation

extension CGFloat: ArchivableValue {
  /// Returns the type encoding `d`, a 64-bit number.
  ///
  /// The encoding is the same if `CGFloat` has 32 bits, so that files do not depend on the machine.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    TypeEncoding(of: Double.self)
  }
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

extension AffineTransform: ArchivableValue {
  /// Returns the type encoding: a structure of the six coefficients of the transform.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.structure(Self.self) {
      [
        context.field("m11", \Self.m11), context.field("m12", \Self.m12),
        context.field("m21", \Self.m21), context.field("m22", \Self.m22),
        context.field("tX", \Self.tX), context.field("tY", \Self.tY),
      ]
    }
  }
  /// Reads the coefficients of the transform from the column.
  public static func __read(from column: ColumnReader) throws -> AffineTransform {
    AffineTransform(
      m11: try column.value(0), m12: try column.value(1), m21: try column.value(2),
      m22: try column.value(3), tX: try column.value(4), tY: try column.value(5))
  }
  /// Appends the coefficients of the transform to the column.
  public func __write(to column: ColumnWriter) throws {
    for (index, coefficient) in [m11, m12, m21, m22, tX, tY].enumerated() {
      try column.write(coefficient, at: index)
    }
  }
}

#if canImport(CoreGraphics)
  public import CoreGraphics

  extension CGVector: ArchivableValue {
    /// Returns the type encoding `{CGVector="dx"d"dy"d}`.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      context.structure(Self.self) { [context.field("dx", \Self.dx), context.field("dy", \Self.dy)] }
    }
    /// Reads both components of the vector from the column.
    public static func __read(from column: ColumnReader) throws -> CGVector {
      CGVector(dx: try column.value(0) as CGFloat, dy: try column.value(1))
    }
    /// Appends both components of the vector to the column.
    public func __write(to column: ColumnWriter) throws {
      try column.write(dx, at: 0)
      try column.write(dy, at: 1)
    }
  }

  extension CGAffineTransform: ArchivableValue {
    /// Returns the type encoding `{CGAffineTransform="a"d"b"d"c"d"d"d"tx"d"ty"d}`.
    public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
      context.structure(Self.self) {
        [
          context.field("a", \Self.a), context.field("b", \Self.b), context.field("c", \Self.c),
          context.field("d", \Self.d), context.field("tx", \Self.tx), context.field("ty", \Self.ty),
        ]
      }
    }
    /// Reads the coefficients of the transform from the column.
    public static func __read(from column: ColumnReader) throws -> CGAffineTransform {
      CGAffineTransform(
        a: try column.value(0) as CGFloat, b: try column.value(1), c: try column.value(2),
        d: try column.value(3), tx: try column.value(4), ty: try column.value(5))
    }
    /// Appends the coefficients of the transform to the column.
    public func __write(to column: ColumnWriter) throws {
      for (index, coefficient) in [a, b, c, d, tx, ty].enumerated() {
        try column.write(coefficient, at: index)
      }
    }
  }
#endif
