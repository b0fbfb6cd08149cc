import { InvalidArgumentError } from 'commander'

const NAME_CHARACTERS_MAX = 200

/** A name for people. */
export function parseName(text: string): string {
  const name = text.trim()
  if (name === '') throw new InvalidArgumentError('A name cannot be empty.')
  if ([...name].length > NAME_CHARACTERS_MAX)
    throw new InvalidArgumentError(`A name has at most ${NAME_CHARACTERS_MAX} characters.`)
  if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    throw new InvalidArgumentError('A name cannot hold control characters.')
  return name
}
