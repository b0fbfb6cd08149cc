import type { Schema } from './behaviour/fit-schema.ts'

/** A request, independent of its dialect. */
export interface ModelRequest {
  model: string
  stream: boolean
  system: readonly string[]
  turns: readonly RequestTurn[]
  tools: readonly OfferedTool[]
  choice: RequestToolChoice
  parallelCalls: boolean
  /** The answer has to be JSON of this schema. */
  schema: Schema | undefined
  stopSequences: readonly string[]
  maxTokens: number | undefined
  /** Reasoning is sealed, but its text is not shown. */
  hidesReasoning: boolean
  wantsSeal: boolean
  /** Chat streams report the usage only on request. */
  wantsUsage: boolean
  cache: RequestCache
}

/**
 * Part of the conversation that may be cached: the system text with the tools, and this number of the first turns.
 * `marked`: the client marked it, and pays for writing. `auto`: the vendor caches by itself.
 */
export type RequestCache = { kind: 'none' } | { kind: 'marked'; turns: number } | { kind: 'auto' }

export interface RequestTurn {
  role: 'system' | 'user' | 'assistant'
  /** Text of the turn. */
  prompt: string
  /** All input that counts: text, calls, results. */
  texts: readonly string[]
  images: number
  documents: number
  hasResults: boolean
}

export interface OfferedTool {
  name: string
  namespace: string | undefined
  description: string
  /** undefined: the tool takes free text. */
  schema: Schema | undefined
}

export type RequestToolChoice = { kind: 'auto' } | { kind: 'none' } | { kind: 'required' } | ChosenTool

/** Without a namespace, the first tool of this name is meant. */
export interface ChosenTool {
  kind: 'tool'
  name: string
  namespace?: string | undefined
}

/** Makes a turn, with defaults for the parts that most turns lack. */
export function turnOf(turn: Pick<RequestTurn, 'role'> & Partial<RequestTurn>): RequestTurn {
  const { prompt = '' } = turn
  return { texts: [prompt], images: 0, documents: 0, hasResults: false, prompt, ...turn }
}
