// SPDX-License-Identifier: Apache-2.0

/// What somebody looked at, in words for the student; the journal has the name of the call.
func lookWords(_ what: String) -> String {
    switch what {
    case "Report": "the class's table"
    case "OverTime": "the class's days"
    case "GetAssignment": "how the assignment stands for each student"
    case "Show": "your work in detail"
    case "Sessions": "the table of sessions"
    case "Live": "who was working just then"
    case "Me": "all of it, through your eyes"
    case "Export": "all of it, as files"
    case "Forget": "what there is to forget"
    // Of a later version.
    default: what
    }
}
