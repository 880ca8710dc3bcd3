// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "AsyncKit",
    products: [
        .library(name: "AsyncKit", targets: ["AsyncKit"]),
        .library(name: "AsyncImages", targets: ["AsyncImages"]),
        .library(name: "AsyncCredentials", targets: ["AsyncCredentials"]),
        .library(name: "AsyncReachability", targets: ["AsyncReachability"]),
        .library(name: "AsyncReachabilityHTTP", targets: ["AsyncReachabilityHTTP"]),
        .library(name: "AsyncHTTP", targets: ["AsyncHTTP"]),
        .library(name: "AsyncFoundation", targets: ["AsyncFoundation"]),
        .library(name: "AsyncBridging", targets: ["AsyncBridging"]),
        .library(name: "AsyncPrimitives", targets: ["AsyncPrimitives"]),
        .executable(name: "tour", targets: ["tour"]),
        .executable(name: "netwatch", targets: ["netwatch"]),
    ],
    targets: [
        module(
            "AsyncKit",
            uses: [
                "AsyncImages", "AsyncCredentials", "AsyncReachability", "AsyncReachabilityHTTP", "AsyncHTTP",
                "AsyncFoundation", "AsyncBridging", "AsyncPrimitives",
            ]
        ),
        module(
            "AsyncImages",
            uses: [
                "AsyncHTTP", "AsyncBridging", "AsyncPrimitives", "CLinux", "CTurboJPEG", "CPNG", "CDeflate",
            ]
        ),
        module(
            "AsyncCredentials",
            uses: ["AsyncBridging", "AsyncPrimitives", "CLinux", "CSQLite", "CSodium"]
        ),
        module("AsyncReachability", uses: ["AsyncBridging", "AsyncPrimitives", "CLinux"]),
        module("AsyncReachabilityHTTP", uses: ["AsyncReachability", "AsyncHTTP"]),
        module(
            "AsyncHTTP",
            uses: ["AsyncBridging", "AsyncPrimitives", "CLinux", "CCurl", "CZlib", "CBrotli"]
        ),
        module("AsyncFoundation", uses: ["AsyncBridging"]),
        module("AsyncBridging", uses: ["AsyncPrimitives", "CLinux"]),
        module("AsyncPrimitives", uses: ["CLinux"]),

        system("CLinux"),
        system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        system("CBrotli", pkgConfig: "libbrotlidec", apt: "libbrotli-dev"),
        system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        system("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
        system("CTurboJPEG", pkgConfig: "libturbojpeg", apt: "libturbojpeg0-dev"),
        system("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
        system("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev"),

        .executableTarget(name: "tour", dependencies: ["AsyncKit"], path: "Sources/Examples/tour"),
        .executableTarget(
            name: "netwatch",
            dependencies: ["AsyncReachability", "AsyncReachabilityHTTP", "AsyncPrimitives", "CLinux"],
            path: "Sources/Examples/netwatch"
        ),

        .target(name: "Support", dependencies: ["AsyncPrimitives", "CLinux"], path: "Tests/Support"),
        tests(of: "AsyncPrimitives"),
        .target(
            name: "MainThreadScenarios",
            dependencies: ["AsyncBridging", "AsyncPrimitives"],
            path: "Tests/MainThreadScenarios"
        ),
        tests(
            of: "AsyncBridging",
            uses: ["AsyncPrimitives", "CLinux", "main-thread-fixture", "main-queue-fixture"]
        ),
        .testTarget(
            name: "AsyncBridgingMainActorTests",
            dependencies: ["AsyncBridging", "AsyncFoundation", "AsyncPrimitives", "Support"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        tests(of: "AsyncFoundation", uses: ["AsyncBridging", "AsyncPrimitives"]),
        tests(of: "AsyncReachability", uses: ["AsyncBridging", "AsyncPrimitives", "CLinux"]),
        tests(of: "AsyncReachabilityHTTP", uses: ["AsyncReachability", "AsyncHTTP", "AsyncBridging"]),
        tests(of: "AsyncHTTP", uses: ["AsyncBridging", "AsyncPrimitives", "CCurl", "CLinux"]),
        tests(
            of: "AsyncImages",
            uses: ["AsyncBridging", "AsyncHTTP", "AsyncPrimitives", "CLinux", "CTurboJPEG", "CPNG"]
        ),
        tests(of: "AsyncCredentials", uses: ["AsyncBridging", "AsyncPrimitives", "CSQLite", "vault-writer"]),
        .testTarget(
            name: "NetwatchTests",
            dependencies: ["netwatch", "AsyncReachability", "AsyncPrimitives", "CLinux", "Support"]
        ),
        fixture(
            "main-thread-fixture",
            in: "MainThreadFixture",
            uses: ["AsyncBridging", "AsyncPrimitives", "MainThreadScenarios"]
        ),
        fixture("main-queue-fixture", in: "MainQueueFixture", uses: ["MainThreadScenarios"]),
        fixture("reachability-only", in: "ReachabilityOnly", uses: ["AsyncReachability"]),
        fixture("vault-writer", in: "VaultWriter", uses: ["AsyncCredentials"]),
    ],
    swiftLanguageModes: [.v6]
)

/// One module is one folder in `Sources/AsyncKit`.
func module(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/AsyncKit/\(name)")
}

/// A system library: a module map and a header in `Sources/AsyncKit/System`, never logic.
func system(_ name: String, pkgConfig: String? = nil, apt package: String? = nil) -> Target {
    .systemLibrary(
        name: name,
        path: "Sources/AsyncKit/System/\(name)",
        pkgConfig: pkgConfig,
        providers: package.map { [.apt([$0])] }
    )
}

/// A program that tests start, for what needs a process of its own.
func fixture(_ name: String, in folder: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/\(folder)")
}

func tests(of module: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(module)Tests",
        dependencies: [.byName(name: module), "Support"] + dependencies,
        path: "Tests/\(module)Tests"
    )
}

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
}
