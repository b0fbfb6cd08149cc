import { InvalidArgumentError } from 'commander'

const CHARACTERS_MAX = 200

/** One line of words for people; `what` begins the sentence that refuses it. */
export function parseLine(what: string): (text: string) => string {
  return (text) => {
    const line = text.trim()
    if (line === '') throw new InvalidArgumentError(`${what} cannot be empty.`)
    if ([...line].length > CHARACTERS_MAX)
      throw new InvalidArgumentError(`${what} has at most ${CHARACTERS_MAX} characters.`)
    if (/\p{Cc}/u.test(line) || !line.isWellFormed())
      throw new InvalidArgumentError(`${what} cannot hold control characters.`)
    return line
  }
}
