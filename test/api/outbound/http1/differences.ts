import type { Outcome } from './play-reply.ts'
import type { ReplyCase } from './reply-cases.ts'

/** `refused`: we fail a reply that undici takes. `not kept`: we close a connection that undici uses again. `taken`: we take what undici fails. */
type Change = 'refused' | 'not kept' | 'taken'

type Pattern = Pick<RegExp, 'test'>

interface Difference {
  change: Change
  what: string
  reason: string
  /** Pattern of a reply that shows the difference: its head, or all of it. */
  head?: Pattern
  text?: Pattern
  /** The difference needs a socket that closes while the call is paused. */
  isOfPauses?: true
}

/** Every way in which our client is not like undici. */
export const DIFFERENCES: readonly Difference[] = [
  {
    change: 'refused',
    what: 'a version other than HTTP/1.0 and HTTP/1.1',
    reason: 'the rules for where such a reply ends are not known',
    head: /^HTTP\/(?!1\.[01] )/m,
  },
  {
    change: 'refused',
    what: 'blank lines before the status line',
    reason: 'they belong to no reply; a vendor that sends them after one reply would shift the next',
    text: /^[\r\n]|\r\n\r\n[\r\n]+HTTP/,
  },
  {
    change: 'refused',
    what: 'a CR that is not followed by LF after the status line',
    reason: 'other readers take it for a part of the line, or for its end',
    head: /^HTTP[^\r\n]*\r(?!\n)/m,
  },
  {
    change: 'refused',
    what: 'control characters in the reason phrase or a header value',
    reason: 'other readers end a line or a value there',
    head: { test: hasControlCharacter },
  },
  {
    change: 'refused',
    what: 'a transfer coding other than chunked alone',
    reason: 'we ask for none, and readers disagree on where such a body ends',
    head: /^transfer-encoding:(?![ \t]*chunked[ \t]*\r?$)/im,
  },
  {
    change: 'refused',
    what: 'transfer-encoding twice',
    reason: 'readers disagree on where such a body ends',
    head: /^transfer-encoding:[\s\S]*^transfer-encoding:/im,
  },
  {
    change: 'refused',
    what: 'a chunk size of more than 13 digits',
    reason: 'a number would not hold it exactly; leading zeros are not worth an exception',
    text: /\n0[0-9a-f]{13,}/i,
  },
  {
    change: 'refused',
    what: 'a chunk extension with an empty value',
    reason: 'the grammar has no such extension',
    text: /;[^\r\n]*=[\r;]/,
  },
  {
    change: 'refused',
    what: 'a head of more than 16 KiB with its separators',
    reason: 'undici counts only names and values, so blanks and separators have no bound',
    head: /^[\s\S]{16370}/,
  },
  {
    change: 'not kept',
    what: '204, 205 and 304',
    reason: 'some vendors send a body with them, which the next request would get as its reply',
    head: /^HTTP\/1\.[01] (?:20[45]|304)/m,
  },
  {
    change: 'not kept',
    what: 'CR or LF after the reply',
    reason: 'bytes that no call asked for close the connection, whatever they are',
    text: /[\r\n]$/,
  },
  {
    change: 'not kept',
    what: 'keep-alive and close in one reply of HTTP/1.0',
    reason: 'when the vendor says both, close is the safe one',
    head: /^HTTP\/1\.0[\s\S]*^connection:.*close/im,
  },
  {
    change: 'taken',
    what: 'blanks after a content-length',
    reason: 'the standard allows them; undici reads them as digits',
    head: /^content-length:[ \t]*\d+[ \t]+\r?$/im,
  },
  {
    change: 'taken',
    what: 'a whole reply that was paused at its last piece when the vendor closed the connection',
    reason: 'every byte of it had come',
    isOfPauses: true,
  },
]

/** Returns undefined for a difference that the table does not explain. */
export function explain(
  { bytes, pauses }: ReplyCase,
  ours: Outcome,
  theirs: Outcome,
): Difference | 'same' | undefined {
  const change = changeOf(ours, theirs)
  if (change === 'same') return 'same'
  const text = bytes.toString('latin1')
  const end = text
    .replace(/^(?:HTTP\/1.1 1[\s\S]*?\r\n\r\n)+/, (interim) => ' '.repeat(interim.length))
    .indexOf('\r\n\r\n')
  const head = end === -1 ? text : text.slice(0, end)
  const shows = (row: Difference) =>
    row.head?.test(head) || row.text?.test(text) || (row.isOfPauses && pauses !== 'never')
  return DIFFERENCES.find((row) => row.change === change && shows(row))
}

function changeOf(ours: Outcome, theirs: Outcome): Change | 'same' | 'other' {
  const isWhole = ours.end === 'whole'
  if (isWhole && theirs.end !== 'whole') return 'taken'
  // The bytes before the fault were equal.
  if (!isWhole) {
    const isPart =
      theirs.body.startsWith(ours.body) && ['broken', ''].includes(ours.end.replace(theirs.end, ''))
    return !isPart ? 'other' : theirs.end === 'whole' ? 'refused' : 'same'
  }
  if (ours.status !== theirs.status || ours.body !== theirs.body || !haveSameHeaders(ours, theirs))
    return 'other'
  if (ours.isReused === theirs.isReused) return 'same'
  return ours.isReused ? 'other' : 'not kept'
}

/** undici keeps the blanks after a value. */
function haveSameHeaders(ours: Outcome, theirs: Outcome): boolean {
  const trimmed = theirs.headers.map(([name, value]) => [
    name,
    [value].flat().map((each) => String(each).trimEnd()),
  ])
  return (
    JSON.stringify(trimmed) === JSON.stringify(ours.headers.map(([name, value]) => [name, [value].flat()]))
  )
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => /[^\t\r\n -~\u0080-\u00ff]/.test(character))
}
