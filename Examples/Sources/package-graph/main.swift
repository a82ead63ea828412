import ArgumentParser
import DebianPackageGraph

PackageGraph.main()
