import type { JsonObject } from '../json/json-object.ts'

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** A part of a message of a user or a developer, or of a tool's output. */
export type InputPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: string }
  | { type: 'input_file'; file_url: string }
  | { type: 'input_file'; filename: string; file_data: string }

/** A part of the assistant's message. Strict vendors need all members of it back. */
export type OutputPart =
  | { type: 'output_text'; text: string; annotations: object[]; logprobs: object[] }
  | { type: 'refusal'; refusal: string }

export interface InputMessage {
  type: 'message'
  role: 'user' | 'developer'
  content: InputPart[]
}

export interface OutputMessage {
  id: string
  type: 'message'
  status: ItemStatus
  role: 'assistant'
  content: OutputPart[]
}

/** Clients send reasoning back unchanged, and vendors refuse a status on it. */
export interface ReasoningItem {
  id?: string
  type: 'reasoning'
  summary: SummaryPart[]
  /** The thoughts themselves, from vendors that show them. */
  content?: { type: 'reasoning_text'; text: string }[]
  encrypted_content?: string
}

export interface SummaryPart {
  type: 'summary_text'
  text: string
}

/** Members of every call of a tool. In a request it has no id and no status. */
interface CallMembers {
  id?: string
  status?: ItemStatus
  call_id: string
  name: string
  namespace?: string
}

export interface FunctionCall extends CallMembers {
  type: 'function_call'
  arguments: string
}

export interface CustomToolCall extends CallMembers {
  type: 'custom_tool_call'
  input: string
}

export interface CallOutput {
  type: 'function_call_output' | 'custom_tool_call_output'
  call_id: string
  output: string | InputPart[]
}

/** An item of a request. Items that only their vendor knows are objects of any kind. */
export type InputItem =
  | InputMessage
  | OutputMessage
  | ReasoningItem
  | FunctionCall
  | CustomToolCall
  | CallOutput
  | object

/** An item of a reply, which always has an id. */
export type OutputItem = (OutputMessage | ReasoningItem | FunctionCall | CustomToolCall) & { id: string }

export interface FunctionTool {
  type: 'function'
  name: string
  description: string | null
  parameters: object
  strict: boolean
}

export interface CustomTool {
  type: 'custom'
  name: string
  description?: string
  format: object
}

export interface NamespaceTool {
  type: 'namespace'
  name: string
  description: string
  tools: (FunctionTool | CustomTool)[]
}

export type ResponsesToolDefinition = FunctionTool | CustomTool | NamespaceTool

export type ResponsesToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { type: 'function' | 'custom'; name: string; namespace?: string }

export type TextFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; name: string; description?: string; schema: object; strict: boolean | undefined }

/** The body of `POST /v1/responses`. Members that are undefined do not reach the wire. */
export interface ResponsesRequest {
  model: string
  instructions?: string
  input: InputItem[]
  stream: boolean
  store: boolean
  include?: string[]
  max_output_tokens?: number
  temperature?: number
  top_p?: number
  reasoning?: { effort: string | undefined; summary: string | undefined }
  text?: { format: TextFormat | undefined; verbosity: string | undefined }
  tools?: ResponsesToolDefinition[]
  tool_choice?: ResponsesToolChoice
  parallel_tool_calls?: boolean
  safety_identifier?: string
  service_tier?: string
  metadata?: Readonly<Record<string, string>>
  prompt_cache_key?: string
}

/** Usage of a reply. Input from the cache, or written to it, counts within the input. */
export interface ResponsesUsage {
  input_tokens: number
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number }
  output_tokens: number
  output_tokens_details: { reasoning_tokens: number }
  total_tokens: number
}

/** Members of a response that change during the reply. */
export interface ResponseProgress {
  id: string
  object: 'response'
  created_at: number
  completed_at: number | null
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  error: { code: string; message: string } | null
  incomplete_details: { reason: 'max_output_tokens' | 'content_filter' } | null
  model: string
  output: readonly object[]
  output_text: string
  usage: ResponsesUsage | null
}

/** Fields of the request that every response repeats. */
export interface ResponseEcho {
  instructions: string | null
  tools: ResponsesToolDefinition[]
  tool_choice: ResponsesToolChoice
  parallel_tool_calls: boolean
  max_output_tokens: number | null
  max_tool_calls: null
  temperature: number
  top_p: number
  top_logprobs: number
  presence_penalty: number
  frequency_penalty: number
  reasoning: { effort: string | null; summary: string | null }
  text: { format: TextFormat; verbosity: string }
  metadata: Readonly<Record<string, string>>
  safety_identifier: string | null
  user: null
  prompt_cache_key: string | null
  service_tier: string
  previous_response_id: null
  truncation: 'disabled'
  background: boolean
  store: boolean
  access_programs: null
}

/** Events that are written as objects; the others are built from strings. Each also has its `sequence_number`. */
export interface StreamEvents {
  'response.output_item.added': { output_index: number; item: object }
  'response.output_item.done': { output_index: number; item: object }
  error: { code: string; message: string; param: null; error: object }
}

/** Whether an item replaces an earlier part of the conversation, under its names in the SDK and in Codex. */
export function isPackedKind(type: unknown): boolean {
  return PACKED.has(type)
}

const PACKED: ReadonlySet<unknown> = new Set(['compaction', 'compaction_summary', 'context_compaction'])

/** The `object` of a compacted conversation. */
export const COMPACTION_OBJECT = 'response.compaction'

/** The `type` of an item, which two kinds may leave out; undefined: it has none, and cannot be inferred. */
export function kindOfItem(item: JsonObject): string | undefined {
  const { type } = item
  if (typeof type === 'string') return type
  if (type !== undefined && type !== null) return undefined
  if (item.role !== undefined || item.content !== undefined) return 'message'
  return typeof item.id === 'string' ? 'item_reference' : undefined
}
