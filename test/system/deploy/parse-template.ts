/** The part of Helm's template language that our chart uses. */

export type Term =
  | { kind: 'literal'; value: unknown }
  | { kind: 'name'; name: string }
  | { kind: 'field'; path: string[] }
  | { kind: 'variable'; name: string; path: string[] }
  | { kind: 'group'; pipe: Term[][]; path: string[] }

interface Block {
  pipe: Term[][]
  body: Node[]
  otherwise: Node[]
}

export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'print'; pipe: Term[][] }
  | ({ kind: 'if' } & Block)
  | ({ kind: 'with' } & Block)
  | ({ kind: 'range'; variables: string[] } & Block)

export interface Template {
  nodes: Node[]
  definitions: Map<string, Node[]>
}

export function parseTemplate(text: string): Template {
  const definitions = new Map<string, Node[]>()
  const pieces = splitActions(text)
  const nodes = parseUntil([])
  return { nodes, definitions }

  /** Reads nodes up to one of these words, which is left in place; without words it reads to the end. */
  function parseUntil(words: readonly string[]): Node[] {
    const found: Node[] = []
    for (let piece = pieces[0]; piece !== undefined; piece = pieces[0]) {
      if (piece.kind === 'action' && words.includes(piece.text)) return found
      pieces.shift()
      if (piece.kind === 'text') found.push({ kind: 'text', text: piece.text })
      else found.push(...parseAction(piece.text))
    }
    if (words.length > 0) throw new Error(`A block has no ${words.join(' or ')}.`)
    return found
  }

  function parseAction(action: string): Node[] {
    const [word = ''] = action.split(' ', 1)
    const rest = action.slice(word.length).trim()
    if (word.startsWith('/*')) return []
    if (word === 'define') {
      definitions.set(JSON.parse(rest), parseUntil(['end']))
      pieces.shift()
      return []
    }
    if (word === 'if' || word === 'with') return [{ kind: word, pipe: parsePipe(rest), ...parseBlock() }]
    if (word === 'range') {
      const [, names, source = rest] = /^(\$\w+(?:, *\$\w+)*) := (.*)$/.exec(rest) ?? []
      const variables = names?.split(/, */) ?? []
      return [{ kind: 'range', variables, pipe: parsePipe(source), ...parseBlock() }]
    }
    return [{ kind: 'print', pipe: parsePipe(action) }]
  }

  function parseBlock(): { body: Node[]; otherwise: Node[] } {
    const body = parseUntil(['else', 'end'])
    const closing = pieces.shift()
    if (closing?.text === 'end') return { body, otherwise: [] }
    const otherwise = parseUntil(['end'])
    pieces.shift()
    return { body, otherwise }
  }
}

/** Text and actions in turn; a dash inside the braces removes the white space on its side. */
function splitActions(text: string): { kind: 'text' | 'action'; text: string }[] {
  const pieces: { kind: 'text' | 'action'; text: string }[] = []
  let position = 0
  let trimsNext = false
  for (const match of text.matchAll(/\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/g)) {
    const [whole, before, action = '', after] = match
    let between = text.slice(position, match.index)
    if (trimsNext) between = between.trimStart()
    if (before === '-') between = between.trimEnd()
    pieces.push({ kind: 'text', text: between }, { kind: 'action', text: action })
    trimsNext = after === '-'
    position = match.index + whole.length
  }
  const last = text.slice(position)
  pieces.push({ kind: 'text', text: trimsNext ? last.trimStart() : last })
  return pieces
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|\(|\)|\||[^\s()|"]+)/gy

function parsePipe(text: string): Term[][] {
  const tokens = Array.from(text.matchAll(TOKEN), ([, token = '']) => token)
  const pipe = parseTokens(tokens)
  if (tokens.length > 0) throw new Error(`Not understood: ${text}`)
  return pipe
}

function parseTokens(tokens: string[]): Term[][] {
  const pipe: Term[][] = [[]]
  for (let token = tokens.shift(); token !== undefined && token !== ')'; token = tokens.shift()) {
    if (token === '|') pipe.push([])
    else pipe.at(-1)?.push(token === '(' ? parseGroup(tokens) : parseTerm(token))
  }
  return pipe
}

function parseGroup(tokens: string[]): Term {
  const pipe = parseTokens(tokens)
  const path = tokens[0]?.startsWith('.') ? tokens.shift() : undefined
  return { kind: 'group', pipe, path: pathOf(path ?? '') }
}

function parseTerm(token: string): Term {
  if (/^["\d]/.test(token)) return { kind: 'literal', value: JSON.parse(token) }
  if (token.startsWith('$')) {
    const [name = '$'] = token.split('.', 1)
    return { kind: 'variable', name, path: pathOf(token.slice(name.length)) }
  }
  return token.startsWith('.') ? { kind: 'field', path: pathOf(token) } : { kind: 'name', name: token }
}

function pathOf(text: string): string[] {
  return text.split('.').filter((name) => name !== '')
}
