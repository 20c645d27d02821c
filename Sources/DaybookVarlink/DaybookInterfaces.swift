// SPDX-License-Identifier: Apache-2.0

/// The interfaces that Daybook speaks. Their texts are the files in `Interfaces/`, which the build puts into the program.
package enum DaybookInterfaces {
    /// What every Varlink server answers.
    package static let service = read(PackageResources.org_varlink_service_varlink)
    package static let reports = read(PackageResources.org_daybook_Reports_varlink)
    package static let classroom = read(PackageResources.org_daybook_Classroom_varlink)
    package static let classKit = read(PackageResources.org_daybook_ClassKit_varlink)
    package static let journal = read(PackageResources.org_daybook_Journal_varlink)

    private static func read(_ text: [UInt8]) -> InterfaceDescription {
        do {
            return try InterfaceDescription(parsing: String(decoding: text, as: UTF8.self))
        } catch {
            // Our own text, which a test parses.
            preconditionFailure("an interface text is wrong: \(error)")
        }
    }
}
