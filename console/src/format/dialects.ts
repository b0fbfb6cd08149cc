/** One question of a conversation and its answer. */
export interface Turn {
  user: string
  assistant: string
}

export interface TextForm {
  model: string
  system: string
  /** The turns before the prompt. */
  turns: readonly Turn[]
  prompt: string
  maxTokens: number
  isStream: boolean
  hasTool: boolean
  /** A picture as a data URL, or empty. */
  image: string
  /** Empty: the request has no temperature. */
  temperature: string
  effort: string
}

export const EFFORTS = ['low', 'medium', 'high'] as const

/** The vendor's own client for a dialect, in both languages. */
export interface Sdk {
  javaScript: string
  python: string
  name: string
  /** Path that follows the address of the gateway. */
  base: string
  call: string
}

interface Dialect {
  path: string
  sdk: Sdk
  headers(key: string): Record<string, string>
  body(form: TextForm): Record<string, unknown>
  /** The text in an event of the stream, or in a whole reply. */
  textOf(event: Json): string
  tokensOf(event: Json): { input?: number; output?: number } | undefined
}

/** A parsed reply or event: any member may be missing. */
// biome-ignore lint/suspicious/noExplicitAny: every member is read with `?.`.
export type Json = any

const TOOL = {
  name: 'get_weather',
  description: 'Current weather of a place',
  schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}

const OPENAI = { javaScript: 'openai', python: 'openai', name: 'OpenAI', base: '/v1' }

export const DIALECTS = {
  messages: {
    path: '/v1/messages',
    sdk: {
      ...{ javaScript: '@anthropic-ai/sdk', python: 'anthropic', name: 'Anthropic' },
      ...{ base: '', call: 'messages.create' },
    },
    headers: (key) => ({ 'x-api-key': key, 'compat-version': '2023-06-01' }),
    body: (form) => ({
      model: form.model,
      max_tokens: form.maxTokens,
      ...(form.isStream && { stream: true }),
      ...(form.system !== '' && { system: form.system }),
      ...temperatureOf(form),
      ...(form.effort !== '' && { output_config: { effort: form.effort } }),
      messages: [
        ...turnsOf(form),
        { role: 'user', content: form.image === '' ? form.prompt : messagesParts(form) },
      ],
      ...(form.hasTool && {
        tools: [{ name: TOOL.name, description: TOOL.description, input_schema: TOOL.schema }],
      }),
    }),
    textOf: (event) =>
      event?.delta?.text ??
      (Array.isArray(event?.content) ? event.content.map((part: Json) => part?.text ?? '').join('') : ''),
    tokensOf: (event) => {
      const usage = event?.usage ?? event?.message?.usage
      return usage && { input: usage.input_tokens, output: usage.output_tokens }
    },
  },
  responses: {
    path: '/v1/responses',
    sdk: { ...OPENAI, call: 'responses.create' },
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: (form) => ({
      model: form.model,
      max_output_tokens: form.maxTokens,
      ...(form.isStream && { stream: true }),
      ...(form.system !== '' && { instructions: form.system }),
      ...temperatureOf(form),
      ...(form.effort !== '' && { reasoning: { effort: form.effort } }),
      input:
        form.image === '' && form.turns.length === 0
          ? form.prompt
          : [
              ...turnsOf(form),
              { role: 'user', content: form.image === '' ? form.prompt : responsesParts(form) },
            ],
      ...(form.hasTool && {
        tools: [
          {
            type: 'function',
            name: TOOL.name,
            description: TOOL.description,
            parameters: TOOL.schema,
            strict: false,
          },
        ],
      }),
    }),
    textOf(event) {
      if (event?.type === 'response.output_text.delta') return event.delta ?? ''
      if (event?.object !== 'response') return ''
      const items: Json[] = event.output ?? []
      return items
        .flatMap((item) => item?.content ?? [])
        .map((part: Json) => part?.text ?? '')
        .join('')
    },
    tokensOf: (event) => {
      const usage = event?.usage ?? event?.response?.usage
      return usage && { input: usage.input_tokens, output: usage.output_tokens }
    },
  },
  chat: {
    path: '/v1/chat/completions',
    sdk: { ...OPENAI, call: 'chat.completions.create' },
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: (form) => ({
      model: form.model,
      max_completion_tokens: form.maxTokens,
      ...(form.isStream && { stream: true, stream_options: { include_usage: true } }),
      ...temperatureOf(form),
      ...(form.effort !== '' && { reasoning_effort: form.effort }),
      messages: [
        ...(form.system === '' ? [] : [{ role: 'system', content: form.system }]),
        ...turnsOf(form),
        { role: 'user', content: form.image === '' ? form.prompt : chatParts(form) },
      ],
      ...(form.hasTool && {
        tools: [
          {
            type: 'function',
            function: { name: TOOL.name, description: TOOL.description, parameters: TOOL.schema },
          },
        ],
      }),
    }),
    textOf: (event) => {
      const choice = event?.choices?.[0]
      return choice?.delta?.content ?? choice?.message?.content ?? ''
    },
    tokensOf: (event) =>
      event?.usage && { input: event.usage.prompt_tokens, output: event.usage.completion_tokens },
  },
} as const satisfies Record<string, Dialect>

export type DialectName = keyof typeof DIALECTS
export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[]

function temperatureOf({ temperature }: TextForm) {
  return temperature === '' ? {} : { temperature: Number(temperature) }
}

function turnsOf({ turns }: TextForm) {
  return turns.flatMap(({ user, assistant }) => [
    { role: 'user', content: user },
    { role: 'assistant', content: assistant },
  ])
}

function messagesParts({ prompt, image }: TextForm): unknown[] {
  const [, media_type, data] = /^data:([^;]+);base64,(.*)$/.exec(image) ?? []
  return [
    { type: 'image', source: { type: 'base64', media_type, data } },
    { type: 'text', text: prompt },
  ]
}

function responsesParts({ prompt, image }: TextForm): unknown[] {
  return [
    { type: 'input_image', image_url: image },
    { type: 'input_text', text: prompt },
  ]
}

function chatParts({ prompt, image }: TextForm): unknown[] {
  return [
    { type: 'image_url', image_url: { url: image } },
    { type: 'text', text: prompt },
  ]
}

/** Reads server-sent events piece by piece; comments are separated. */
export class SseReader {
  #rest = ''

  feed(text: string): { events: Json[]; comments: string[] } {
    const blocks = (this.#rest + text).replaceAll('\r\n', '\n').split('\n\n')
    this.#rest = blocks.pop() ?? ''
    const lines = blocks.flatMap((block) => block.split('\n'))
    return {
      comments: lines.filter((line) => line.startsWith(':')).map((line) => line.slice(1).trim()),
      events: lines.filter((line) => line.startsWith('data:')).flatMap((line) => parsed(line.slice(5))),
    }
  }
}

function parsed(text: string): Json[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}
