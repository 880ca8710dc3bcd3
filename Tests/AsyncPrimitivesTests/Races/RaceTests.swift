import Testing

/// Races, one at a time: each has two or three threads that shall run at the same moment, on two processors.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum RaceTests {}
