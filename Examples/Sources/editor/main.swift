// SPDX-License-Identifier: Apache-2.0
import ClassKit

// A small text editor in the terminal: editor [--goal WORDS] FILE. Ctrl-S saves, Ctrl-Q saves and leaves.

var arguments = Array(CommandLine.arguments.dropFirst())
var goal = 500
if arguments.count == 3, arguments[0] == "--goal", let words = Int(arguments[1]), words > 0 {
    goal = words
    arguments.removeFirst(2)
}
guard arguments.count == 1 else {
    print("usage: editor [--goal WORDS] FILE")
    exit(2)
}

let document = Document(url: URL(fileURLWithPath: arguments[0]), goal: goal)
let screen = Screen()
await document.opened()
var text = EditedText(document.read())
screen.show(text, name: arguments[0])

loop: while let key = screen.key() {
    switch key {
    case .save, .leave:
        if !document.write(text.whole) {
            screen.close()
            print("\(arguments[0]) cannot be written.")
            exit(1)
        }
        if key == .leave { break loop }
    case .left: text.moveLeft()
    case .right: text.moveRight()
    case .up: text.moveUp()
    case .down: text.moveDown()
    case .erase: text.erase()
    case .insert(let character): text.insert(character)
    }
    screen.show(text, name: arguments[0])
}
screen.close()
await document.closed(text.whole)
