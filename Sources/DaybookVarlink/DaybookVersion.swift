// SPDX-License-Identifier: Apache-2.0

/// The version of this build: what `--version`, `GetInfo`, `Status` and the journal's `started` say.
package enum DaybookVersion {
    package static let text = "0.1.0"
}
