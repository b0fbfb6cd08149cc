import type { LossName } from '../canonical/losses.ts'
import type { StreamError } from '../canonical/reply-event.ts'
import type { Effort } from '../canonical/request.ts'
import type { JsonObject } from '../json/json-object.ts'
import { isNil, isNonEmptyArray } from '../values/values.ts'

/** Marks a block: the vendor caches the prompt up to its end. */
export interface CacheControl {
  type: 'ephemeral'
}

export interface TextBlock {
  type: 'text'
  text: string
}

export type MediaSource = { type: 'base64'; media_type: string; data: string } | { type: 'url'; url: string }

export interface ImageBlock {
  type: 'image'
  source: MediaSource
}

export interface DocumentBlock {
  type: 'document'
  source: MediaSource | { type: 'text'; media_type: 'text/plain'; data: string }
  title?: string
}

export interface ToolUseBlock {
  type: 'tool_use'
  id: string
  name: string
  input: object
  /** Left out: the model itself made the call. */
  caller?: object
}

export interface ToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  content?: Block[]
  is_error?: boolean
}

/** `signature` proves the thinking to its vendor. */
export interface ThinkingBlock {
  type: 'thinking'
  thinking: string
  signature: string
}

export interface RedactedThinkingBlock {
  type: 'redacted_thinking'
  data: string
}

/** A block of a kind that only its vendor knows, unchanged. */
export type OpaqueBlock = Record<string, unknown> & { type: string }

/** A content block of a request or of a reply. */
export type Block = (
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ToolUseBlock
  | ToolResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | OpaqueBlock
) & { cache_control?: CacheControl }

export interface MessageTurn {
  role: 'user' | 'assistant'
  content: Block[]
}

export interface MessagesToolDefinition {
  name: string
  description?: string
  input_schema: object
  cache_control?: CacheControl
}

export type MessagesToolChoice = (
  | { type: 'auto' }
  | { type: 'any' }
  | { type: 'none' }
  | { type: 'tool'; name: string }
) & { disable_parallel_tool_use?: boolean }

export type Thinking =
  | { type: 'disabled' }
  | { type: 'enabled'; budget_tokens: number }
  | { type: 'adaptive'; display: 'summarized' | 'omitted' }

/** The body of `POST /v1/messages`. Members that are undefined do not reach the wire. */
export interface MessagesRequest {
  model: string
  max_tokens: number
  messages: MessageTurn[]
  system?: Block[]
  temperature?: number
  top_p?: number
  stop_sequences?: readonly string[]
  tools?: MessagesToolDefinition[]
  tool_choice?: MessagesToolChoice
  thinking?: Thinking
  output_config?: { effort?: Effort; format?: { type: 'json_schema'; schema: object } }
  metadata?: { user_id: string }
  service_tier?: string
  stream: boolean
}

/** The counts at the end of a stream. The three counts of the input are disjoint. */
export interface DeltaUsage {
  input_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
  output_tokens: number
  output_tokens_details: { thinking_tokens: number } | null
  server_tool_use: null
}

/** The counts of a message. Typed clients need every member, also those that other vendors have no value for. */
export interface MessagesUsage extends DeltaUsage {
  cache_creation: null
  inference_geo: null
  service_tier: null
  speed: null
}

/** Stop reason of a message; null while it has not ended. */
export interface MessageEnding {
  stop_reason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal' | null
  stop_sequence: string | null
  stop_details: null
  container: null
}

/** A whole reply. Blocks that only their vendor knows are objects of any kind. */
export interface MessagesReply extends MessageEnding {
  id: string
  type: 'message'
  role: 'assistant'
  content: (Block | object)[]
  model: string
  diagnostics: null
  usage: MessagesUsage
}

export type BlockDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'thinking_delta'; thinking: string }
  | { type: 'signature_delta'; signature: string }
  | { type: 'input_json_delta'; partial_json: string }

/** The events of a stream, in order; `ping` and `error` may come at any point. */
export type StreamEvent =
  | { type: 'message_start'; message: MessagesReply }
  | { type: 'content_block_start'; index: number; content_block: Block | object }
  | { type: 'content_block_delta'; index: number; delta: BlockDelta }
  | { type: 'content_block_stop'; index: number }
  | { type: 'message_delta'; delta: MessageEnding; usage: DeltaUsage }
  | { type: 'message_stop' }
  | { type: 'ping' }
  | { type: 'error'; error: { type: string; message: string } }

/** Writes one event. JSON escapes every line end, so a text cannot forge an event. */
export function sseEvent(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

export const ERROR_TYPES: Readonly<Record<StreamError['kind'], string>> = {
  broken: 'api_error',
  vendor: 'api_error',
  busy: 'overloaded_error',
  refused: 'invalid_request_error',
  'too-long': 'invalid_request_error',
  'too-large': 'invalid_request_error',
  'too-late': 'timeout_error',
  draining: 'overloaded_error',
  'organization-disabled': 'permission_error',
  'user-disabled': 'permission_error',
}

/** Declares the cache mark and the citations of a block as losses. */
export function declareMarks({ cache_control: mark, citations }: JsonObject, losses: Set<LossName>): void {
  if (!isNil(mark)) losses.add('cache_control')
  if (isNonEmptyArray(citations)) losses.add('citations')
}
