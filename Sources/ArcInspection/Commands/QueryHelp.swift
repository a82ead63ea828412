/// The help text on the query language of `get` and `find`.
enum QueryHelp {
  /// The help text on paths: their first step, and their further steps.
  static let paths = """
    A path names objects or values; errors and other commands print such paths: root.people[3].address, \
    #17.name. LazyArchive in a program reads them as well; the article Paths of the documentation has all \
    rules. A path begins with
      people              the root of that name, or a property of the only root
      #17                 the object with this number
      Person#17           the same; an error if it is of another class
      Person, Box<Int>    all objects of a class, subclasses included
      *                   all objects
    and continues with
      .name               a property, field or case; for a collection, the
                          property of each element
      [3], [-1]           an element, counted from the start or from the end;
                          for a dictionary, the value of an integer key
      ["key"]             the value of a string key
      [true], [.left]     the value of a Boolean key, or of a case as a key
      .0, .1              an element of a tuple, or an associated value
                          without a label
      .keys, .values      all keys or values of a dictionary; .keys[0] is one
      [CONDITION]         the elements, or the object, that match a condition
      .@count             the number of elements, characters or bytes
      .@class, .@id       the class and the number of an object
      .@text              all strings in an object or value
    A name that is not a word needs backticks: .`two words`. A property that a superclass declares under \
    the same key has the class as a prefix: .`Biology.age`.
    """

  /// The help text on conditions: their operators, with examples.
  static let conditions = """
    A condition compares properties of an object, or values that a path reaches from it:
      name == "Ada"           also: != < <= > >=
      born < "2001-01-01"     a date, UUID, decimal or URL, as a string
      mother != nil           whether a value is present
      mother == #3            whether a reference refers to an object
      name contains "da"      a substring of a string
      tags contains "red"     an element of a collection
      name beginswith "A"     also: endswith
      name =~ /^A.*a$/i       a regular expression; 'i' ignores case
      age in [30, 31]         one of several values
      shape == .circle        a case of an enumeration
      isActive                the value is neither nil nor false
      friends[age > 30]       an element matches
      friends.@count > 2      a path as described below
      @class == "Dog"         the class of the object
      @text contains "x"      any string in the object
      tags[@self =~ /^r/]     '@self' is the element itself
      not (a and b) or c      also: ! && ||
    Strings are in single or double quotes, with Swift's escapes. If a path reaches several values, one \
    match suffices. A missing value equals nil. 'a != b' means 'not (a == b)'.
    """
}
