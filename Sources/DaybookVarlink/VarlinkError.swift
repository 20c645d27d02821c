// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

/// An error reply: a name that stays once released, and its parameters.
package struct VarlinkError: Error, Equatable, Sendable {
    /// Qualified by its interface, e.g. `org.varlink.service.MethodNotFound`.
    package var name: String
    package var parameters: JSONObject

    package init(_ name: String, _ parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }

    package static func interfaceNotFound(_ interface: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InterfaceNotFound", ["interface": .string(interface)])
    }

    package static func methodNotFound(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotFound", ["method": .string(method)])
    }

    package static func methodNotImplemented(_ method: String) -> VarlinkError {
        VarlinkError("org.varlink.service.MethodNotImplemented", ["method": .string(method)])
    }

    /// `parameter` is the path of the member that is missing, unknown or of another type, e.g. `kinds[2]`.
    package static func invalidParameter(_ parameter: String) -> VarlinkError {
        VarlinkError("org.varlink.service.InvalidParameter", ["parameter": .string(parameter)])
    }

    package static let permissionDenied = VarlinkError("org.varlink.service.PermissionDenied")
    /// The method answers more than once and was called without `more`.
    package static let expectedMore = VarlinkError("org.varlink.service.ExpectedMore")
}
