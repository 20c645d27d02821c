// SPDX-License-Identifier: Apache-2.0

/// Values that many records name: each is kept once, and records have its number. Numbers of values that went are given again.
struct Interned<Value: Hashable & Sendable>: Sendable {
    /// Stands for no value.
    static var none: UInt32 { .max }

    private(set) var values: [Value?] = []
    private var numbers: [Value: UInt32] = [:]
    private var free: [UInt32] = []

    init() {}

    /// By what `values` gave; nil where a value is there twice.
    init?(values: [Value?]) {
        self.values = values
        numbers.reserveCapacity(values.count)
        for (number, value) in values.enumerated() {
            guard let value else {
                free.append(UInt32(number))
                continue
            }
            guard numbers.updateValue(UInt32(number), forKey: value) == nil else { return nil }
        }
    }

    subscript(number: UInt32) -> Value? { number < values.count ? values[Int(number)] : nil }

    func number(of value: Value) -> UInt32? { numbers[value] }

    mutating func number(adding value: Value) -> UInt32 {
        if let known = numbers[value] { return known }
        let number: UInt32
        if let again = free.popLast() {
            number = again
            values[Int(again)] = value
        } else {
            number = UInt32(values.count)
            values.append(value)
        }
        numbers[value] = number
        return number
    }

    mutating func number(adding value: Value?) -> UInt32 { value.map { number(adding: $0) } ?? Self.none }

    /// Lets everything go whose number is not among these: what nobody speaks of any more is not to be found in memory either.
    mutating func keep(only used: Set<UInt32>) {
        for (number, value) in values.enumerated() where !used.contains(UInt32(number)) {
            guard let value else { continue }
            numbers[value] = nil
            values[number] = nil
            free.append(UInt32(number))
        }
    }
}
