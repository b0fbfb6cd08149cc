export interface MaskedSource {
  /** Source with the same length and lines, in which comments and the contents of strings and patterns are blank. */
  code: string
  /** Every plain string by the index of its opening quote in `code`; a template without an expression is one, too. */
  strings: ReadonlyMap<number, string>
}

/**
 * Separates the code of a TypeScript file from its comments and strings, so that a rule about `fetch(` ignores a comment
 * about it. It reads tokens, not grammar: enough to tell strings, comments and patterns apart.
 */
export function maskSource(source: string): MaskedSource {
  const code = [...source.replaceAll(/[^\n]/gu, (character) => ' '.repeat(character.length))]
  const strings = new Map<number, string>()
  const keep = (start: number, end: number) => {
    for (let at = start; at < end; at += 1) code[at] = source.charAt(at)
  }
  /** Depth of open braces at each `${` that is still open. */
  const expressions: number[] = []
  let braces = 0
  let at = 0
  /** Reads on inside a template from `start`, and stops after its end or at its next expression. */
  const readTemplate = (opening: number, start: number): number => {
    const end = endOfTemplatePart(source, start)
    if (source.startsWith('${', end)) {
      expressions.push(braces)
      keep(end, end + 2)
      return end + 2
    }
    if (opening === start - 1) strings.set(opening, source.slice(start, end))
    keep(end, end + 1)
    return end + 1
  }
  while (at < source.length) {
    const character = source.charAt(at)
    if (source.startsWith('//', at)) at = endOf(source, '\n', at)
    else if (source.startsWith('/*', at)) at = endOf(source, '*/', at + 2) + 2
    else if (character === "'" || character === '"') {
      const end = endOfQuoted(source, at)
      strings.set(at, source.slice(at + 1, end))
      keep(at, at + 1)
      keep(end, end + 1)
      at = end + 1
    } else if (character === '`') {
      keep(at, at + 1)
      at = readTemplate(at, at + 1)
    } else if (character === '}' && expressions.at(-1) === braces) {
      expressions.pop()
      keep(at, at + 1)
      at = readTemplate(-1, at + 1)
    } else if (character === '/' && startsPattern(code, at)) {
      const end = endOfPattern(source, at)
      keep(at, at + 1)
      keep(end, end + 1)
      at = end + 1
    } else {
      if (character === '{') braces += 1
      if (character === '}') braces -= 1
      keep(at, at + 1)
      at += 1
    }
  }
  return { code: code.join(''), strings }
}

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from)
  return found === -1 ? source.length : found
}

function endOfQuoted(source: string, opening: number): number {
  const quote = source.charAt(opening)
  let at = opening + 1
  while (at < source.length && source.charAt(at) !== quote) at += source.charAt(at) === '\\' ? 2 : 1
  return at
}

function endOfTemplatePart(source: string, start: number): number {
  let at = start
  while (at < source.length && source.charAt(at) !== '`' && !source.startsWith('${', at)) {
    at += source.charAt(at) === '\\' ? 2 : 1
  }
  return at
}

/** A slash in a character class does not end a pattern. */
function endOfPattern(source: string, opening: number): number {
  let inClass = false
  let at = opening + 1
  while (at < source.length && (inClass || source.charAt(at) !== '/') && source.charAt(at) !== '\n') {
    const character = source.charAt(at)
    if (character === '[') inClass = true
    if (character === ']') inClass = false
    at += character === '\\' ? 2 : 1
  }
  return at
}

/** After a value a slash divides; after an operator, an opening bracket or a keyword it opens a pattern. */
function startsPattern(code: readonly string[], slash: number): boolean {
  const before = code
    .slice(Math.max(0, slash - 200), slash)
    .join('')
    .trimEnd()
  if (before === '') return true
  if (/\b(return|typeof|case|in|of|new|delete|void|throw|yield|await|else|do)$/.test(before)) return true
  return !/[\w$)\]}'"`]$/.test(before)
}
