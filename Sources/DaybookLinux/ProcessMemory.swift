// SPDX-License-Identifier: Apache-2.0
import CDaybookLinux

/// The memory of this process.
package enum ProcessMemory {
    /// What was freed goes back to the kernel at once. Costs a walk over what is free, so it is for when much has gone.
    package static func giveBack() { daybook_give_memory_back() }
}
