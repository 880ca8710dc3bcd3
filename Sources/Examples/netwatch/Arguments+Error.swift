import AsyncReachability

extension Arguments {
    /// What is wrong with the command line.
    enum Error: Swift.Error, Equatable {
        case unknownOption(String)
        case strayWord(String)
        case missingValue(String)
        case needlessValue(String)
        case badHost(Host.Error)
        case secondProbe
    }
}

extension Arguments.Error: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownOption(let name): "There is no option \(name.printable)."
        case .strayWord(let word): "Write --host before “\(word.printable)” to watch a host."
        case .missingValue(let name): "Write a value after \(name)."
        case .needlessValue(let name): "Write \(name) without a value."
        case .badHost(let error): "--host: \(error)"
        case .secondProbe: "Give --probe once only."
        }
    }
}
