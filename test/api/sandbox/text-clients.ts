import Anthropic from '@anthropic-ai/sdk'
import type { Message } from '@anthropic-ai/sdk/resources/messages/messages'
import OpenAI from 'openai'
import type { ChatCompletion } from 'openai/resources/chat/completions'
import type { Response } from 'openai/resources/responses/responses'
import type { Vendors } from './open-vendors.ts'

export const DIALECTS = ['messages', 'responses', 'chat'] as const
export type TextDialectName = (typeof DIALECTS)[number]

/** A question that can be written in each dialect. */
export interface Question {
  prompt: string
  stream: boolean
  tools?: readonly { name: string; schema: Record<string, unknown> }[]
  force?: string
  single?: boolean
  schema?: Record<string, unknown>
  maxTokens?: number
  stop?: string[]
}

/** Reply as an official client parsed it. */
export interface Understood {
  text: string
  reasoning: string
  refusal: string
  calls: { name: string; input: unknown }[]
  end: string | null | undefined
  usage: { input: number; cached: number; output: number } | undefined
}

/** Asks with the official client of a dialect, pointed straight at the sandbox. */
export function askText(vendors: Vendors, dialect: TextDialectName, question: Question): Promise<Understood> {
  return ASK[dialect](vendors.url, question)
}

const ASK = { messages: askMessages, responses: askResponses, chat: askChat }

export function anthropicAt(url: string, apiKey = 'any'): Anthropic {
  return new Anthropic({ baseURL: `${url}/text`, apiKey, maxRetries: 0 })
}

export function openaiAt(url: string, apiKey = 'any'): OpenAI {
  return new OpenAI({ baseURL: `${url}/text/v1`, apiKey, maxRetries: 0 })
}

async function askMessages(url: string, question: Question): Promise<Understood> {
  const body = {
    model: 'm',
    max_tokens: question.maxTokens ?? 8_000,
    messages: [{ role: 'user' as const, content: question.prompt }],
    stop_sequences: question.stop,
    tools: question.tools?.map(({ name, schema }) => ({
      name,
      input_schema: { type: 'object' as const, ...schema },
    })),
    tool_choice: question.force
      ? { type: 'tool' as const, name: question.force }
      : question.single
        ? { type: 'auto' as const, disable_parallel_tool_use: true }
        : undefined,
    output_config: question.schema && {
      format: { type: 'json_schema' as const, schema: question.schema },
    },
  }
  const client = anthropicAt(url)
  const message = question.stream
    ? await client.messages.stream(body).finalMessage()
    : await client.messages.create(body)
  return understoodMessage(message)
}

export function understoodMessage({ content, stop_reason, usage }: Message): Understood {
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    refusal: stop_reason === 'refusal' ? content.map((b) => (b.type === 'text' ? b.text : '')).join('') : '',
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [],
    ),
    end: stop_reason,
    usage: usage && {
      input:
        usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      cached: usage.cache_read_input_tokens ?? 0,
      output: usage.output_tokens,
    },
  }
}

async function askResponses(url: string, question: Question): Promise<Understood> {
  const body = {
    model: 'm',
    input: question.prompt,
    max_output_tokens: question.maxTokens,
    tools: question.tools?.map(({ name, schema }) => ({
      type: 'function' as const,
      name,
      parameters: { type: 'object', ...schema },
      strict: false,
    })),
    tool_choice: question.force ? { type: 'function' as const, name: question.force } : undefined,
    parallel_tool_calls: question.single ? false : undefined,
    text: question.schema && {
      format: { type: 'json_schema' as const, name: 'answer', schema: question.schema },
    },
  }
  const client = openaiAt(url)
  const response = question.stream
    ? await client.responses.stream(body).finalResponse()
    : await client.responses.create(body)
  return understoodResponse(response)
}

export function understoodResponse({
  output,
  output_text,
  status,
  incomplete_details,
  usage,
}: Response): Understood {
  const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []))
  return {
    text: output_text,
    reasoning: output
      .flatMap((item) => (item.type === 'reasoning' ? item.summary.map(({ text }) => text) : []))
      .join(''),
    refusal: parts.map((part) => (part.type === 'refusal' ? part.refusal : '')).join(''),
    calls: output.flatMap((item) => {
      if (item.type === 'function_call') return [{ name: item.name, input: JSON.parse(item.arguments) }]
      return item.type === 'custom_tool_call' ? [{ name: item.name, input: item.input }] : []
    }),
    end: incomplete_details?.reason ?? status,
    usage: usage && {
      input: usage.input_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      output: usage.output_tokens,
    },
  }
}

async function askChat(url: string, question: Question): Promise<Understood> {
  const body = {
    model: 'm',
    messages: [{ role: 'user' as const, content: question.prompt }],
    max_completion_tokens: question.maxTokens,
    stop: question.stop,
    tools: question.tools?.map(({ name, schema }) => ({
      type: 'function' as const,
      function: { name, parameters: { type: 'object', ...schema } },
    })),
    tool_choice: question.force
      ? { type: 'function' as const, function: { name: question.force } }
      : undefined,
    parallel_tool_calls: question.single ? false : undefined,
    response_format: question.schema && {
      type: 'json_schema' as const,
      json_schema: { name: 'answer', schema: question.schema },
    },
  }
  const client = openaiAt(url)
  if (!question.stream) return understoodCompletion(await client.chat.completions.create(body))
  const stream = client.chat.completions.stream({ ...body, stream_options: { include_usage: true } })
  let reasoning = ''
  stream.on('chunk', ({ choices }) => {
    const delta: object = choices[0]?.delta ?? {}
    reasoning += Reflect.get(delta, 'reasoning_content') ?? ''
  })
  return { ...understoodCompletion(await stream.finalChatCompletion()), reasoning }
}

export function understoodCompletion({ choices, usage }: ChatCompletion): Understood {
  const [choice] = choices
  const message = choice?.message
  return {
    text: message?.content ?? '',
    reasoning: String((message && Reflect.get(message, 'reasoning_content')) ?? ''),
    refusal: message?.refusal ?? '',
    calls: (message?.tool_calls ?? []).map((call) =>
      call.type === 'function'
        ? { name: call.function.name, input: JSON.parse(call.function.arguments) }
        : { name: call.custom.name, input: call.custom.input },
    ),
    end: choice?.finish_reason,
    usage: usage && {
      input: usage.prompt_tokens,
      cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
      output: usage.completion_tokens,
    },
  }
}
