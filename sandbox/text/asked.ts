import type { Schema } from './behaviour/fit-schema.ts'

/** What a request asks for, whatever dialect it came in. */
export interface Asked {
  model: string
  stream: boolean
  system: readonly string[]
  turns: readonly AskedTurn[]
  tools: readonly OfferedTool[]
  choice: ToolChoice
  parallelCalls: boolean
  /** The answer has to be JSON that fits it. */
  schema: Schema | undefined
  stopSequences: readonly string[]
  maxTokens: number | undefined
  /** Reasoning is sealed, but its text is not shown. */
  hidesReasoning: boolean
  wantsSeal: boolean
  /** Chat streams only tell the usage when asked. */
  wantsUsage: boolean
  cache: AskedCache
}

/**
 * How much of the conversation may be cached: the system text with the tools, and so many of the first turns.
 * `marked`: the client said where, and pays for writing. `auto`: the vendor caches by itself.
 */
export type AskedCache = { kind: 'none' } | { kind: 'marked'; turns: number } | { kind: 'auto' }

export interface AskedTurn {
  role: 'system' | 'user' | 'assistant'
  /** What was said in words. */
  prompt: string
  /** Everything that counts as input: words, calls, results. */
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

/** A turn with the parts that most turns lack left out. */
export function turnOf(turn: Pick<AskedTurn, 'role'> & Partial<AskedTurn>): AskedTurn {
  const { prompt = '' } = turn
  return { texts: [prompt], images: 0, documents: 0, hasResults: false, prompt, ...turn }
}
