import type { Dialect } from '@sluice/dialects/dialect-facts'

/** Content of a reply, independent of its dialect. */
export interface Reading {
  /** Text and refusals, in their order. */
  said: string
  calls: { name: string; input: unknown }[]
  usage: { input: number; cached: number; output: number }
}

/** Reads a whole reply of any dialect without a client. */
export function readingOf(dialect: Dialect, reply: unknown): Reading {
  return READERS[dialect](reply)
}

const READERS: Record<Dialect, (reply: unknown) => Reading> = {
  messages(reply) {
    const { content, usage } = Object(reply)
    const blocks = listOf(content)
    const read = usage.cache_read_input_tokens ?? 0
    return {
      said: blocks.map(({ type, text }) => (type === 'text' ? text : '')).join(''),
      calls: blocks.flatMap(({ type, name, input }) => (type === 'tool_use' ? [callOf(name, input)] : [])),
      usage: {
        input: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + read,
        cached: read,
        output: usage.output_tokens,
      },
    }
  },
  responses(reply) {
    const { output, usage } = Object(reply)
    const items = listOf(output)
    const parts = items.flatMap(({ type, content }) => (type === 'message' ? listOf(content) : []))
    return {
      said: parts.map(({ text, refusal }) => text ?? refusal ?? '').join(''),
      calls: items.flatMap(({ type, name, input, arguments: json }) => {
        if (type === 'custom_tool_call') return [callOf(name, input)]
        return type === 'function_call' ? [callOf(name, JSON.parse(json))] : []
      }),
      usage: {
        input: usage.input_tokens,
        cached: usage.input_tokens_details.cached_tokens,
        output: usage.output_tokens,
      },
    }
  },
  chat(reply) {
    const { choices, usage } = Object(reply)
    const { content, refusal, tool_calls } = choices[0].message
    return {
      said: `${content ?? ''}${refusal ?? ''}`,
      calls: listOf(tool_calls).map((call) =>
        callOf(call.function.name, JSON.parse(call.function.arguments || '{}')),
      ),
      usage: {
        input: usage.prompt_tokens,
        cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
        output: usage.completion_tokens,
      },
    }
  },
}

/** Some dialects flatten namespaces and wrap free text: both spellings are the same call. */
function callOf(name: string, input: unknown): Reading['calls'][number] {
  const members = Object.entries(Object(input))
  const [first] = members
  const isWrapped = typeof input === 'object' && members.length === 1 && first?.[0] === 'input'
  return { name: name.split('__').at(-1) ?? name, input: isWrapped ? first?.[1] : input }
}

// biome-ignore lint/suspicious/noExplicitAny: what is on a wire has no type until it is read.
function listOf(value: unknown): any[] {
  return Array.isArray(value) ? value : []
}
