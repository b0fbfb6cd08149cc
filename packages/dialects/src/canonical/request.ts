import type { LossName } from './losses.ts'
import type { Dialect, Seal } from './reply-event.ts'

/** A client's request, independent of dialects. Readers make it, writers turn it into a vendor's dialect. */
export interface TextRequest {
  stream: boolean
  /** Whether the client wants the usage at the end of its stream; left out: its dialect always has it. */
  streamsUsage?: boolean
  turns: readonly Turn[]
  maxOutputTokens: number | undefined
  temperature: number | undefined
  topP: number | undefined
  stopSequences: readonly string[]
  tools: readonly Tool[]
  toolChoice: ToolChoice | undefined
  /** undefined: the request does not tell. */
  parallelToolCalls: boolean | undefined
  reasoning: ReasoningOptions | undefined
  format: OutputFormat | undefined
  verbosity: string | undefined
  /** Opaque id of the end user, made by the client. */
  userId: string | undefined
  serviceTier: string | undefined
  /** Key-value pairs of the client's own. */
  metadata: Readonly<Record<string, string>> | undefined
  cacheKey: string | undefined
  /** Parts of the request that no other dialect can express: lost in every conversion. */
  losses: readonly LossName[]
}

/** A part of the conversation by one speaker. Turns keep their order, also system turns in the middle. */
export interface Turn {
  role: 'system' | 'developer' | 'user' | 'assistant'
  parts: readonly Part[]
}

export type Part =
  | ({ kind: 'text'; text: string } & Cacheable)
  | ({ kind: 'image'; source: ImageSource; detail: string | undefined } & Cacheable)
  | ({ kind: 'document'; source: DocumentSource; name: string | undefined } & Cacheable)
  | ToolCallPart
  | ToolResultPart
  | ReasoningPart
  | { kind: 'refusal'; text: string }
  /** A part that only `origin` knows. A writer of another dialect drops and declares it. */
  | { kind: 'opaque'; origin: Dialect; raw: object }

/** The client marks that the prompt stays the same up to this part's end. Messages vendors cache up to such marks. */
export interface Cacheable {
  isCacheEnd?: boolean
}

export interface ReasoningPart {
  kind: 'reasoning'
  text: string
  /** undefined: none, or one that no vendor can check any longer. */
  seal: Seal | undefined
  /** The client never saw the text, only the seal. */
  hidden: boolean
}

export interface ToolCallPart {
  kind: 'tool-call'
  callId: string
  name: string
  namespace: string | undefined
  /** JSON text, or free text of a custom tool. */
  input: { kind: 'json' | 'text'; text: string }
}

export interface ToolResultPart {
  kind: 'tool-result'
  callId: string
  /** The result belongs to a custom tool, for which a dialect may have another type. */
  isCustom: boolean
  isError: boolean
  parts: readonly ResultPart[]
}

export type ResultPart = Extract<Part, { kind: 'text' | 'image' | 'document' }>

/** `data` is base64. */
export type ImageSource = { kind: 'base64'; mediaType: string; data: string } | { kind: 'url'; url: string }

export type DocumentSource =
  | { kind: 'base64'; mediaType: string; data: string }
  | { kind: 'url'; url: string }
  | { kind: 'text'; text: string }

export interface Tool {
  name: string
  namespace: string | undefined
  description: string | undefined
  /** `json`: a JSON schema of its arguments. `text`: free text, perhaps held to a grammar. */
  input:
    | { kind: 'json'; schema: object | undefined; strict: boolean | undefined }
    | { kind: 'text'; format: object | undefined }
}

export type ToolChoice =
  | { kind: 'auto' }
  | { kind: 'none' }
  /** The model has to call a tool, and chooses which one. */
  | { kind: 'required' }
  | { kind: 'tool'; name: string; namespace: string | undefined }

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

export interface ReasoningOptions {
  effort: Effort | undefined
  /** Maximum number of tokens, 0 for none; a dialect without budgets gets an effort instead. */
  budgetTokens: number | undefined
  /** undefined: the request does not tell. `none`: the reasoning is not shown. */
  summary: 'none' | 'auto' | 'concise' | 'detailed' | undefined
  /** The client wants the seal so that it can send the reasoning back. */
  wantsSeal: boolean
}

export type OutputFormat =
  | {
      kind: 'json-schema'
      name: string | undefined
      description: string | undefined
      schema: object
      /** `promised`: the client's dialect always enforces a shape, and has no field for it. undefined: the request does not tell. */
      strict: boolean | 'promised' | undefined
    }
  | { kind: 'json-object' }

export function hasCacheMarks(turns: readonly Turn[]): boolean {
  return turns.some(({ parts }) => parts.some(isMarked))
}

function isMarked(part: Part): boolean {
  if (part.kind === 'tool-result') return part.parts.some(isMarked)
  return 'isCacheEnd' in part && part.isCacheEnd === true
}

/** Whether a part leaves a model something to answer: text, media, a call or its result. */
export function hasContent(part: Part): boolean {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text !== ''
    case 'reasoning':
    case 'opaque':
      return false
    default:
      return true
  }
}
