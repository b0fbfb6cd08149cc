import type { ModelRequest } from '../model-request.ts'
import type { Script } from '../script/read-script.ts'
import { fitSchema } from './fit-schema.ts'
import type { Prompt } from './read-prompt.ts'

const LONG_PIECE = 'The quick brown fox jumps over the lazy dog, and on. '
  .repeat(5)
  .slice(0, 255)
  .concat('\n')
const LONG_KB_MAX = 65_536

/** Text of the reply, in the pieces of a stream. */
export function replyText(modelRequest: ModelRequest, script: Script, prompt: Prompt): string[] {
  const { words } = script
  if (words.has('empty')) return []
  if (modelRequest.schema !== undefined) return cut(JSON.stringify(fitSchema(modelRequest.schema)))
  const ordered = orderedText(script)
  if (ordered !== undefined) return ordered
  if (prompt.hasResults) return ['Done.']
  return cutIntoWords(`You said: ${script.rest}${attachments(prompt)}`)
}

/** Returns the text that a word of the prompt asks for; undefined: no word asks for one. */
export function orderedText({ words }: Script): string[] | undefined {
  const count = words.get('count')
  if (count !== undefined) return Array.from({ length: count }, (_, at) => (at === 0 ? '1' : ` ${at + 1}`))
  const many = words.get('words')
  if (many !== undefined) return Array.from({ length: many }, (_, at) => (at === 0 ? 'word' : ' word'))
  const long = words.get('long')
  return long === undefined
    ? undefined
    : new Array<string>(Math.min(long, LONG_KB_MAX) * (1_024 / LONG_PIECE.length)).fill(LONG_PIECE)
}

export function cutIntoWords(text: string): string[] {
  return text.match(/\s*\S{1,40}\s*$|\s*\S{1,40}|\s+/gu) ?? []
}

/** Cuts a text, never inside a surrogate pair. */
export function cut(text: string): string[] {
  return text.match(/.{1,12}/gsu) ?? []
}

function attachments({ images, documents }: Prompt): string {
  const said = [name(images, 'image'), name(documents, 'document')].filter(Boolean).join(', ')
  return said === '' ? '' : ` (${said})`
}

function name(count: number, word: string): string {
  if (count === 0) return ''
  return count === 1 ? `1 ${word}` : `${count} ${word}s`
}
