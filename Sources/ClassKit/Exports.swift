// SPDX-License-Identifier: Apache-2.0

// As on Apple's systems, `import ClassKit` brings Foundation with it.
@_exported public import Foundation
