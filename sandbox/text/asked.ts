import type { Schema } from './behaviour/fit-schema.ts'

/** A request, independent of its dialect. */
export interface Asked {
  model: string
  stream: boolean
  system: readonly string[]
  turns: readonly AskedTurn[]
  tools: readonly OfferedTool[]
  choice: ToolChoice
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
  cache: AskedCache
}

/**
 * Part of the conversation that may be cached: the system text with the tools, and this number of the first turns.
 * `marked`: the client marked it, and pays for writing. `auto`: the vendor caches by itself.
 */
export type AskedCache = { kind: 'none' } | { kind: 'marked'; turns: number } | { kind: 'auto' }

export interface AskedTurn {
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

export type ToolChoice =
  | { kind: 'auto' }
  | { kind: 'none' }
  | { kind: 'required' }
  | { kind: 'tool'; name: string }

/** Makes a turn, with defaults for the parts that most turns lack. */
export function turnOf(turn: Pick<AskedTurn, 'role'> & Partial<AskedTurn>): AskedTurn {
  const { prompt = '' } = turn
  return { texts: [prompt], images: 0, documents: 0, hasResults: false, prompt, ...turn }
}
