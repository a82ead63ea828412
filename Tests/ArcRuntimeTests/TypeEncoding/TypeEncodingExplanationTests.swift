import ArcRuntime
import XCTest

final class TypeEncodingExplanationTests: XCTestCase {
  func testTypesAreExplainedInWords() throws {
    for (text, words) in Self.explanations {
      XCTAssertEqual(try TypeEncoding(parsing: text).explanation, words, text)
    }
  }

  private static let explanations = [
    ("q", "64-bit signed integer"), ("$?q", "optional 64-bit signed integer"), ("B", "Boolean"),
    ("v", "void"),
    (#"@"Person""#, "reference to Person"), (#"$[@"Person"]"#, "array of Person references"),
    (#"$?@"Box<Int>""#, "optional reference to Box<Int>"), (#"@"NSString""#, "string"),
    (#"$<@"NSString":$[q]>"#, "dictionary from strings to arrays of 64-bit signed integers"),
    (#"$<@"NSUUID">"#, "set of UUIDs"), (#"$[$<C>]"#, "array of sets of 8-bit unsigned integers"),
    ("@", "object reference"), (#"@"<P><Q><R>""#, "object reference conforming to P, Q and R"),
    (#"$~@"Person""#, "weak reference to Person"), (#"$[$~@"Person"]"#, "array of weak Person references"),
    (#"$(Shape="none")"#, "enumeration Shape"), ("$[$(Shape)]", "array of enumerations Shape"),
    ("^?", "function pointer"), ("^v", "pointer to void"), ("^", "pointer to value without a type code"),
    ("r^^i", "constant pointer to pointer to 32-bit signed integer"),
    ("jd", "complex 64-bit floating-point number"),
    ("[4#]", "C array of 4 classes"), ("[1i]", "C array of 1 32-bit signed integer"),
    ("[2]", "C array of 2 values without a type code"), ("{CGPoint}", "structure CGPoint"),
    ("{CGPoint=dd}", "structure CGPoint of 2 members"),
    (#"{CGPoint="x"d"y"d}"#, "structure CGPoint of x and y"),
    ("(?=i)", "anonymous union of 1 member"), ("b3", "3-bit field"), ("b32i3", "3-bit field at bit 32"),
    ("![16,16f]", "16-byte vector of 32-bit floating-point numbers"), ("@?", "block"),
    ("@?<v@?@\"N\"i>", "block taking reference to N and 32-bit signed integer and returning void"),
    ("@?<d@?>", "block returning 64-bit floating-point number"), ("@?<>", "block without a signature"),
  ]
}
