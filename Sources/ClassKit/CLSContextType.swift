// SPDX-License-Identifier: Apache-2.0

/// What kind of content a context is. It informs teachers and changes nothing else.
public enum CLSContextType: Int, Sendable {
    /// No kind.
    case none = 0
    /// The app as a whole: only the main context is of this kind.
    case app = 1
    /// A chapter.
    case chapter = 2
    /// A section.
    case section = 3
    /// A level.
    case level = 4
    /// A page.
    case page = 5
    /// A task.
    case task = 6
    /// A challenge.
    case challenge = 7
    /// A quiz.
    case quiz = 8
    /// An exercise.
    case exercise = 9
    /// A lesson.
    case lesson = 10
    /// A book.
    case book = 11
    /// A game.
    case game = 12
    /// A document.
    case document = 13
    /// An audio file.
    case audio = 14
    /// A video.
    case video = 15
    /// A course.
    case course = 16
    /// A kind of the app's own: see `CLSContext.customTypeName`.
    case custom = 17
}
