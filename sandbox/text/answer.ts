/** A reply of the vendor, before it is written in a dialect. */
export interface ModelReply {
  blocks: readonly ReplyBlock[]
  end: AnswerEnd
  usage: ReplyUsage
}

/** A stream sends `pieces` one by one. */
export type ReplyBlock =
  | { kind: 'text'; pieces: readonly string[] }
  | { kind: 'refusal'; pieces: readonly string[] }
  | { kind: 'reasoning'; pieces: readonly string[] }
  | CallBlock

export interface CallBlock {
  kind: 'call'
  name: string
  namespace: string | undefined
  /** `json`: the pieces spell a JSON object. `text`: they are free text. */
  input: 'json' | 'text'
  pieces: readonly string[]
}

export type AnswerEnd =
  | { kind: 'done' }
  | { kind: 'calls' }
  | { kind: 'stop-sequence'; sequence: string }
  | { kind: 'length' }
  | { kind: 'refusal' }
  /** A filter stopped the reply in the middle. */
  | { kind: 'filter' }

/** Disjoint counts of tokens; `reasoning` is a part of `output`. */
export interface ReplyUsage {
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  reasoning: number
}

export function textOf({ pieces }: ReplyBlock): string {
  return pieces.join('')
}

export function lengthOf(pieces: readonly string[]): number {
  let length = 0
  for (const piece of pieces) length += piece.length
  return length
}
