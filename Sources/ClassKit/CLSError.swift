// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The domain of ClassKit's errors.
public let CLSErrorCodeDomain = "CLSErrorCodeDomain"

/// Keys of what an error carries besides its code.
public struct CLSErrorUserInfoKey: RawRepresentable, Hashable, Sendable {
    /// The key itself.
    public let rawValue: String

    /// A key by its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A key by its text.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The object that an operation failed on.
    public static let objectKey = CLSErrorUserInfoKey("CLSErrorObjectKey")
    /// With `CLSError.partialFailure`: an array of the errors.
    public static let underlyingErrorsKey = CLSErrorUserInfoKey("CLSErrorUnderlyingErrorsKey")
    /// With `CLSError.partialFailure`: an array of the objects that were saved.
    public static let successfulObjectsKey = CLSErrorUserInfoKey("CLSErrorSuccessfulObjectsKey")
}

/// Why ClassKit could not do something. Errors never tell whether the person is a student or a teacher.
public struct CLSError: Error, CustomNSError, LocalizedError {
    /// The kinds of errors.
    public enum Code: Int, Sendable {
        /// No error.
        case none = 0
        /// There is no ClassKit here: what answers on the socket does not know it.
        case classKitUnavailable = 1
        /// An argument cannot be used.
        case invalidArgument = 2
        /// What may only be read was changed.
        case invalidModification = 3
        /// The socket is closed to this user.
        case authorizationDenied = 4
        /// The daemon cannot be reached or cannot write just now. Nothing is lost: a later save takes it along.
        case databaseInaccessible = 5
        /// Something is longer, deeper or more than may be.
        case limits = 6
        /// A new object is there already.
        case invalidCreate = 7
        /// A changed object could not be saved.
        case invalidUpdate = 8
        /// Some objects were saved and others were not.
        case partialFailure = 9
        /// The account's credentials do not hold. Never seen on Linux, where the socket knows who calls.
        case invalidAccountCredentials = 10
    }

    /// What kind of error it is.
    public let code: Code
    // Sendable: set once; what is in it are objects of this module, errors and texts.
    nonisolated(unsafe) private let information: [String: Any]

    /// What it carries, by the texts of `CLSErrorUserInfoKey` and Foundation's keys.
    public var userInfo: [String: Any] { information }

    /// An error of this kind.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        information = userInfo
    }

    init(_ code: Code, _ reason: String, object: CLSObject? = nil) {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: reason]
        if let object { userInfo[CLSErrorUserInfoKey.objectKey.rawValue] = object }
        self.init(code, userInfo: userInfo)
    }

    /// `CLSErrorCodeDomain`.
    public static var errorDomain: String { CLSErrorCodeDomain }

    /// The code's number.
    public var errorCode: Int { code.rawValue }

    /// The same as `userInfo`.
    public var errorUserInfo: [String: Any] { information }

    /// What happened, in words.
    public var errorDescription: String? { information[NSLocalizedDescriptionKey] as? String ?? "ClassKit error \(code)" }
}

extension CLSError: Hashable {
    /// Errors of the same kind are equal; what they carry is not compared.
    public static func == (left: CLSError, right: CLSError) -> Bool { left.code == right.code }

    /// Goes with `==`.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension CLSError {
    /// No error.
    public static var none: Code { .none }
    /// There is no ClassKit here.
    public static var classKitUnavailable: Code { .classKitUnavailable }
    /// An argument cannot be used.
    public static var invalidArgument: Code { .invalidArgument }
    /// What may only be read was changed.
    public static var invalidModification: Code { .invalidModification }
    /// The socket is closed to this user.
    public static var authorizationDenied: Code { .authorizationDenied }
    /// The daemon cannot be reached or cannot write just now.
    public static var databaseInaccessible: Code { .databaseInaccessible }
    /// Something is longer, deeper or more than may be.
    public static var limits: Code { .limits }
    /// A new object is there already.
    public static var invalidCreate: Code { .invalidCreate }
    /// A changed object could not be saved.
    public static var invalidUpdate: Code { .invalidUpdate }
    /// Some objects were saved and others were not.
    public static var partialFailure: Code { .partialFailure }
    /// The account's credentials do not hold.
    public static var invalidAccountCredentials: Code { .invalidAccountCredentials }
}

/// So that `catch CLSError.limits` catches an error of that kind.
public func ~= (code: CLSError.Code, error: any Error) -> Bool {
    if let error = error as? CLSError { return error.code == code }
    let error = error as NSError
    return error.domain == CLSErrorCodeDomain && error.code == code.rawValue
}
