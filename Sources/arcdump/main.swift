import ArcInspection

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// The commands are a library, so that tests can call them: SwiftPM does not order a test after an executable
// that it imports where the same test bundle depends on a macro.
exit(Arcdump.launch(Array(CommandLine.arguments.dropFirst())))
