// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// One result of an activity: what a binary, a quantity and a score item have in common.
open class CLSActivityItem: CLSObject, @unchecked Sendable {
    /// Unique in its activity.
    public let identifier: String
    private var storedTitle: String

    /// What teacher and student read.
    open var title: String {
        get { Model.locked { storedTitle } }
        set { change { storedTitle = newValue } }
    }

    init(_ identifier: String, _ title: String) {
        self.identifier = identifier
        storedTitle = title
        super.init()
    }

    func change(_ body: () -> Void) {
        Model.locked {
            body()
            touch()
        }
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier"),
            let title = coder.decodeObject(of: NSString.self, forKey: "title")
        else { return nil }
        self.identifier = String(describing: identifier)
        storedTitle = String(describing: title)
        super.init(coder: coder)
    }

    /// Writes identifier and title.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(identifier as NSString, forKey: "identifier")
        coder.encode(title as NSString, forKey: "title")
    }
}

/// How the value of a binary item is to be read.
public enum CLSBinaryValueType: Int, Sendable {
    /// True or false.
    case trueFalse = 0
    /// Passed or failed.
    case passFail = 1
    /// Yes or no.
    case yesNo = 2
    /// Correct or incorrect.
    case correctIncorrect = 3
}

/// Whether something was reached.
open class CLSBinaryItem: CLSActivityItem, @unchecked Sendable {
    private var storedValue = false
    /// How `value` is to be read.
    public let valueType: CLSBinaryValueType

    /// False until it is set.
    open var value: Bool {
        get { Model.locked { storedValue } }
        set { change { storedValue = newValue } }
    }

    /// An item whose value is false.
    public init(identifier: String, title: String, type valueType: CLSBinaryValueType) {
        self.valueType = valueType
        super.init(identifier, title)
    }

    /// Not in Apple's SDK, but in public examples: an item of type `trueFalse`.
    public convenience init(identifier: String, title: String) {
        self.init(identifier: identifier, title: title, type: .trueFalse)
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        guard let type = CLSBinaryValueType(rawValue: coder.decodeInteger(forKey: "valueType")) else { return nil }
        valueType = type
        storedValue = coder.decodeBool(forKey: "value")
        super.init(coder: coder)
    }

    /// Writes value and type, too.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(value, forKey: "value")
        coder.encode(valueType.rawValue, forKey: "valueType")
    }
}

/// A count. Its unit stands in the title.
open class CLSQuantityItem: CLSActivityItem, @unchecked Sendable {
    private var storedQuantity = 0.0

    /// 0 until it is set.
    open var quantity: Double {
        get { Model.locked { storedQuantity } }
        set { change { storedQuantity = newValue } }
    }

    /// An item whose quantity is 0.
    public init(identifier: String, title: String) { super.init(identifier, title) }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        storedQuantity = coder.decodeDouble(forKey: "quantity")
        super.init(coder: coder)
    }

    /// Writes the quantity, too.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(quantity, forKey: "quantity")
    }
}

/// Points out of the most that can be had.
open class CLSScoreItem: CLSActivityItem, @unchecked Sendable {
    private var storedScore: Double
    private var storedMaximum: Double

    /// From 0 to `maxScore`. Another one is refused by the next save (`CLSError.invalidArgument`).
    open var score: Double {
        get { Model.locked { storedScore } }
        set { change { storedScore = newValue } }
    }

    /// Above 0.
    open var maxScore: Double {
        get { Model.locked { storedMaximum } }
        set { change { storedMaximum = newValue } }
    }

    /// An item with these points.
    public init(identifier: String, title: String, score: Double, maxScore: Double) {
        storedScore = score
        storedMaximum = maxScore
        super.init(identifier, title)
    }

    /// Not in Apple's SDK, but in public examples: no point of one so far.
    public convenience init(identifier: String, title: String) {
        self.init(identifier: identifier, title: title, score: 0, maxScore: 1)
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        storedScore = coder.decodeDouble(forKey: "score")
        storedMaximum = coder.decodeDouble(forKey: "maxScore")
        super.init(coder: coder)
    }

    /// Writes score and maximum, too.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(score, forKey: "score")
        coder.encode(maxScore, forKey: "maxScore")
    }
}
