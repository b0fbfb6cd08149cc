export interface TextForm {
  model: string
  system: string
  prompt: string
  maxTokens: number
  isStream: boolean
  hasTool: boolean
  /** A picture as a data URL, or empty. */
  image: string
}

interface Dialect {
  path: string
  headers(key: string): Record<string, string>
  body(form: TextForm): Record<string, unknown>
  /** The text in an event of the stream, or in a whole reply. */
  textOf(event: Json): string
  tokensOf(event: Json): { input?: number; output?: number } | undefined
}

/** A reply that came over the wire: anything may be missing. */
// biome-ignore lint/suspicious/noExplicitAny: every member is read with `?.`.
export type Json = any

const TOOL = {
  name: 'get_weather',
  description: 'Current weather of a place',
  schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}

export const DIALECTS = {
  messages: {
    path: '/v1/messages',
    headers: (key) => ({ 'x-api-key': key, 'compat-version': '2023-06-01' }),
    body: (form) => ({
      model: form.model,
      max_tokens: form.maxTokens,
      ...(form.isStream && { stream: true }),
      ...(form.system !== '' && { system: form.system }),
      messages: [{ role: 'user', content: form.image === '' ? form.prompt : messagesParts(form) }],
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
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: (form) => ({
      model: form.model,
      max_output_tokens: form.maxTokens,
      ...(form.isStream && { stream: true }),
      ...(form.system !== '' && { instructions: form.system }),
      input: form.image === '' ? form.prompt : [{ role: 'user', content: responsesParts(form) }],
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
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: (form) => ({
      model: form.model,
      max_completion_tokens: form.maxTokens,
      ...(form.isStream && { stream: true, stream_options: { include_usage: true } }),
      messages: [
        ...(form.system === '' ? [] : [{ role: 'system', content: form.system }]),
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

/** Reads server-sent events bit by bit; comments are separated. */
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

export interface Sent {
  url: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

export const LANGUAGES_OF_CODE = ['curl', 'TypeScript', 'Python'] as const
export type CodeLanguage = (typeof LANGUAGES_OF_CODE)[number]

/** Code of a program that sends the same request. It reads the key from the environment and never contains it. */
export function codeFor(language: CodeLanguage, { url, headers, body }: Sent): string {
  const all = Object.entries({ ...headers, 'content-type': 'application/json' })
  if (language === 'curl') {
    const flags = all.map(([name, value]) => `  -H "${name}: ${value.replace(KEY, '$SLUICE_KEY')}" \\\n`)
    const text = JSON.stringify(body).replaceAll("'", "'\\''")
    return `curl -N ${url} \\\n${flags.join('')}  -d '${text}'`
  }
  const json = JSON.stringify(body, null, 2)
  if (language === 'TypeScript') {
    const lines = all.map(
      ([name, value]) => `    '${name}': ${withKey(value, '`', '$' + '{process.env.SLUICE_KEY}')},`,
    )
    return `const reply = await fetch('${url}', {
  method: 'POST',
  headers: {
${lines.join('\n')}
  },
  body: JSON.stringify(${json}),
})
for await (const bytes of reply.body!) process.stdout.write(bytes)`
  }
  const lines = all.map(
    ([name, value]) => `    "${name}": ${withKey(value, '"', "{os.environ['SLUICE_KEY']}")},`,
  )
  return `import json, os, urllib.request

body = json.loads(r'''${json.replaceAll("'''", '\\u0027\\u0027\\u0027')}''')
request = urllib.request.Request("${url}", json.dumps(body).encode(), {
${lines.join('\n')}
})
with urllib.request.urlopen(request) as reply:
    for line in reply:
        print(line.decode(), end="")`
}

/** Placeholder of the key where a request is shown. */
export const KEY = 'SLUICE_KEY'

function withKey(value: string, quote: string, key: string): string {
  if (!value.includes(KEY)) return `${quote === '`' ? "'" : quote}${value}${quote === '`' ? "'" : quote}`
  return `${quote === '"' ? 'f' : ''}${quote}${value.replace(KEY, key)}${quote}`
}
