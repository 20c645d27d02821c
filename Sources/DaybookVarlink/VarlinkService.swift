// SPDX-License-Identifier: Apache-2.0
package import DaybookJSON

/// What a server offers: its interfaces, and what it says of itself. The same value serves all connections.
package struct VarlinkService: Sendable {
    package let vendor: String
    package let product: String
    package let version: String
    package let url: String
    /// `org.varlink.service` first, then as given.
    package let interfaces: [InterfaceDescription]

    /// `org.varlink.service` is added; do not pass it.
    package init(interfaces: [InterfaceDescription], vendor: String, product: String, version: String, url: String) {
        self.interfaces = [DaybookInterfaces.service] + interfaces
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }

    /// Whether a call can be dispatched, with its parameters checked and cleaned.
    package enum Verdict: Equatable, Sendable {
        case dispatch(VarlinkCall)
        /// A method of `org.varlink.service`: the parameters of its reply.
        case answer(JSONObject)
        case refuse(VarlinkError)
    }

    package func judge(_ call: VarlinkCall) -> Verdict {
        guard let interface = interfaces.first(where: { $0.name == call.interface }) else {
            return .refuse(.interfaceNotFound(call.interface))
        }
        guard let method = interface.method(call.name) else { return .refuse(.methodNotFound(call.method)) }
        // No method of ours goes on in another protocol.
        if call.upgrade { return .refuse(.methodNotImplemented(call.method)) }
        var call = call
        do {
            call.parameters = try interface.checked(call.parameters, as: method.input)
        } catch {
            return .refuse(.invalidParameter(error.path))
        }
        return interface.name == DaybookInterfaces.service.name ? answer(call) : .dispatch(call)
    }

    private func answer(_ call: VarlinkCall) -> Verdict {
        switch call.name {
        case "GetInfo":
            return .answer([
                "vendor": .string(vendor), "product": .string(product), "version": .string(version), "url": .string(url),
                "interfaces": .array(interfaces.map { .string($0.name) }),
            ])
        case "GetInterfaceDescription":
            let name = call.parameters["interface"]?.stringValue ?? ""
            guard let interface = interfaces.first(where: { $0.name == name }) else { return .refuse(.interfaceNotFound(name)) }
            return .answer(["description": .string(interface.text)])
        default: return .refuse(.methodNotImplemented(call.method))
        }
    }

    /// Whether a reply is as the interface promises; for tests of handlers, and cheap enough for debug builds.
    package func mistake(inReply parameters: JSONObject, to method: String) -> ParameterMistake? {
        let call = VarlinkCall(method)
        guard let interface = interfaces.first(where: { $0.name == call.interface }), let method = interface.method(call.name) else {
            return ParameterMistake(path: method, expected: nil)
        }
        do {
            _ = try interface.checked(parameters, as: method.output)
            return nil
        } catch { return error }
    }

    /// Whether an error is declared with these parameters.
    package func mistake(inError error: VarlinkError) -> ParameterMistake? {
        let name = VarlinkCall(error.name)
        guard let interface = interfaces.first(where: { $0.name == name.interface }), let fields = interface.errors[name.name] else {
            return ParameterMistake(path: error.name, expected: nil)
        }
        do {
            _ = try interface.checked(error.parameters, as: fields)
            return nil
        } catch { return error }
    }
}
