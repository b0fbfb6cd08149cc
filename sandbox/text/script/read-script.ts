/** Orders of a prompt to the vendor. */
export interface Script {
  /** Orders of one word, with their numbers; undefined: the order has none. */
  words: ReadonlyMap<Word, number | undefined>
  calls: readonly ScriptedCall[]
  write: { file: string; text: string } | undefined
  /** The prompt without the orders. */
  rest: string
}

export interface ScriptedCall {
  name: string
  /** The input as it was written; empty when there is none. */
  input: string
}

/** Reads the orders of a prompt. A bracket with anything else in it is part of the prompt. */
export function readScript(prompt: string): Script {
  const words = new Map<Word, number | undefined>()
  const calls: ScriptedCall[] = []
  let write: Script['write']
  let rest = ''
  let at = 0
  while (at < prompt.length) {
    const opening = prompt.indexOf('[', at)
    if (opening === -1) break
    rest += prompt.slice(at, opening)
    const order = readOrder(prompt, opening)
    if (order === undefined) rest += '['
    else if (order.kind === 'call') calls.push(order.call)
    else if (order.kind === 'write') write ??= { file: order.file, text: order.text }
    else if (!words.has(order.word)) words.set(order.word, order.number)
    at = order?.end ?? opening + 1
  }
  return { words, calls, write, rest: (rest + prompt.slice(at)).trim() }
}

type Order =
  | { kind: 'word'; word: Word; number: number | undefined; end: number }
  | { kind: 'call'; call: ScriptedCall; end: number }
  | { kind: 'write'; file: string; text: string; end: number }

const WORD = /\[([a-z-]+)(?: (\d{1,7}))?\]/y
const CALL = /\[call ([\w.:/-]+)(?: (?=[^\]])|(?=\]))/y
const WRITE = /\[write (\S+) ([^\]]*)\]/y

function readOrder(prompt: string, opening: number): Order | undefined {
  return (
    readWord(matchAt(WORD, prompt, opening), opening) ??
    readCall(prompt, matchAt(CALL, prompt, opening), opening) ??
    readWrite(matchAt(WRITE, prompt, opening), opening)
  )
}

function readWord(match: RegExpExecArray | null, opening: number): Order | undefined {
  const [all = '', name = '', digits] = match ?? []
  if (!isWord(name)) return undefined
  const number = digits === undefined ? undefined : Number(digits)
  const wanted = WORDS[name]
  if (wanted !== 'either' && (wanted === 'number') !== (number !== undefined)) return undefined
  return { kind: 'word', word: name, number, end: opening + all.length }
}

function readCall(prompt: string, match: RegExpExecArray | null, opening: number): Order | undefined {
  if (match === null) return undefined
  const start = opening + match[0].length
  const end = prompt.charAt(start) === '{' ? endOfJson(prompt, start) : prompt.indexOf(']', start)
  if (end === -1 || prompt.charAt(end) !== ']') return undefined
  return { kind: 'call', call: { name: match[1] ?? '', input: prompt.slice(start, end) }, end: end + 1 }
}

function readWrite(match: RegExpExecArray | null, opening: number): Order | undefined {
  const [all, file, text] = match ?? []
  if (all === undefined || file === undefined || text === undefined) return undefined
  return { kind: 'write', file, text, end: opening + all.length }
}

/** Offset behind the brace that closes the object; brackets and braces inside strings do not count. */
function endOfJson(prompt: string, start: number): number {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < prompt.length; at += 1) {
    const character = prompt.charAt(at)
    if (isQuoted && character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === '{') depth += 1
    else if (!isQuoted && character === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Words that have an effect in square brackets, and whether they take a number; docs/sandbox.md explains each. */
export const WORDS = {
  count: 'number',
  words: 'number',
  long: 'number',
  empty: 'none',
  reason: 'none',
  sign: 'none',
  refuse: 'none',
  filter: 'none',
  pace: 'number',
  cached: 'number',
  'no-usage': 'none',
  fail: 'either',
  busy: 'either',
  overloaded: 'none',
  'too-long': 'none',
  never: 'none',
  silent: 'none',
  cut: 'number',
  garbage: 'number',
  split: 'none',
  interleave: 'none',
  'no-end': 'none',
  headers: 'none',
} as const satisfies Record<string, 'none' | 'number' | 'either'>

type Word = keyof typeof WORDS

function isWord(name: string): name is Word {
  return Object.hasOwn(WORDS, name)
}
