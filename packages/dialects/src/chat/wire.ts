/** A part of a user's message. */
export type ChatContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: string } }
  | { type: 'file'; file: { filename: string; file_data: string } }

export interface InstructionMessage {
  role: 'system' | 'developer'
  content: string
}

export interface UserMessage {
  role: 'user'
  content: string | ChatContentPart[]
}

/** `reasoning_content` is set only for vendors that want it back. */
export interface AssistantMessage {
  role: 'assistant'
  content: string | null
  reasoning_content?: string
  refusal?: string
  tool_calls?: ToolCall[]
}

/** The result of a call. */
export interface ToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

export type ChatMessage = InstructionMessage | UserMessage | AssistantMessage | ToolMessage

/** `extra_content` is a signature that some vendors write beside a call. */
export interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
  extra_content?: object
}

export interface ChatToolDefinition {
  type: 'function'
  function: { name: string; description?: string; parameters: object; strict?: boolean }
}

export type ChatToolChoice = 'auto' | 'none' | 'required' | { type: 'function'; function: { name: string } }

export type ResponseFormat =
  | { type: 'json_object' }
  | {
      type: 'json_schema'
      json_schema: { name: string; description?: string; schema: object; strict?: boolean }
    }

/** The body of `POST /v1/chat/completions`. Members that are undefined do not reach the wire. */
export interface ChatRequest {
  model: string
  messages: ChatMessage[]
  stream?: true
  stream_options?: { include_usage: true }
  max_completion_tokens?: number
  max_tokens?: number
  temperature?: number
  top_p?: number
  stop?: string[]
  tools?: ChatToolDefinition[]
  tool_choice?: ChatToolChoice
  parallel_tool_calls?: boolean
  response_format?: ResponseFormat
  reasoning_effort?: string
  verbosity?: string
  user?: string
  prompt_cache_key?: string
  service_tier?: string
}

/** Usage of a reply. Input from the cache counts within the prompt. The last members are those of single vendors. */
export interface ChatUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number }
  completion_tokens_details: { reasoning_tokens: number }
  cache_read_input_tokens: number
  num_search_queries: number
  server_tool_use: object
}

export interface CallDelta {
  index: number
  id: string
  function: { name: string; arguments: string }
  extra_content: object
}

/** Content of one chunk, or of a whole reply as `message`. Reasoning has three names, by vendor. */
export interface Delta {
  content: string | object[]
  refusal: string
  reasoning_content: string
  reasoning: string
  reasoning_details: object[]
  tool_calls: CallDelta[]
  /** The older form of a tool call. */
  function_call: CallDelta['function']
  images: object[]
  audio: object
  annotations: object[]
}

export interface ChatChoice {
  index: number
  delta: Delta
  message: Delta
  finish_reason: string
  /** The stop sequence that ended the reply, as vLLM names it. */
  stop_reason: string
  /** SGLang's name for `stop_reason`. */
  matched_stop: string
  logprobs: { content: object[] }
  usage: ChatUsage
  error: object
}

/** One chunk of a stream; a whole reply is a chunk whose choice has a `message`. */
export interface ChatChunk {
  id: string
  choices: ChatChoice[]
  usage: ChatUsage
  service_tier: string
  citations: string[]
  /** Member of one vendor that holds the usage. */
  x_groq: { usage: ChatUsage }
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/** A call for the client. */
export type WrittenToolCall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } }

/** The beginning of a call, or more of its input. */
export type WrittenCallDelta = { index: number } & (
  | WrittenToolCall
  | { function: { arguments: string } }
  | { custom: { input: string } }
)

/** Reasoning with its proof, in the shape that clients of several vendors send back. */
export type ReasoningDetail =
  | { type: 'reasoning.text'; text: string; signature: string; index: number }
  | { type: 'reasoning.encrypted'; data: string; index: number }

/** A delta of the message of a reply, for the client. */
export interface WrittenDelta {
  role?: 'assistant'
  content?: string
  refusal?: string | null
  reasoning_content?: string
  reasoning_details?: readonly ReasoningDetail[]
  tool_calls?: readonly WrittenCallDelta[]
}

/** The whole message of a reply, for the client. */
export interface WrittenMessage {
  role: 'assistant'
  content: string | null
  refusal: string | null
  reasoning_content?: string
  reasoning_details?: readonly ReasoningDetail[]
  tool_calls?: WrittenToolCall[]
}

export interface ChatWrittenUsage {
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  prompt_tokens_details: { cached_tokens: number; cache_write_tokens?: number }
  completion_tokens_details: { reasoning_tokens: number }
}
