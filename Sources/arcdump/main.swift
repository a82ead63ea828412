import ArcInspection
import ArgumentParser

// The commands are a library, so that tests can call them: SwiftPM does not order a test after an executable
// that it imports where the same test bundle depends on a macro.
Arcdump.main()
