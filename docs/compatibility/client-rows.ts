/** Dialects of the vendors, the columns of the page. */
export const VENDOR_DIALECTS = ['chat', 'responses', 'messages'] as const
/** Families of video models, the columns of the second table. */
export const VIDEO_FAMILIES = ['family A', 'family B'] as const
export type Column = (typeof VENDOR_DIALECTS)[number] | (typeof VIDEO_FAMILIES)[number]

/** The runs whose tests are read. */
export type CompatibilityRun = 'agents' | 'sdks' | 'videos'

/** One client on one endpoint. A cell is the tests whose titles match. */
export interface ClientRow {
  client: string
  /** Packages whose versions stand on the page. */
  packages: readonly string[]
  endpoint: string
  run: CompatibilityRun
  /** A column that is left out does not apply to the client. */
  titles: Partial<Record<Column, RegExp>>
}

const CHAT = 'vendorC/model-4.1:'
const RESPONSES = 'vendorC/model-o4-mini:'
const NATIVE = 'vendorC/model-5.3-codex:'
const MESSAGES = 'vendorD/text-large:'

const through = (name: string, way = '') => ({
  chat: new RegExp(`^${name} through a chat model.*${way}`),
  responses: new RegExp(`^${name} through a (responses|native) model.*${way}`),
  messages: new RegExp(`^${name} through a messages model.*${way}`),
})

function library(name: string, api: string, responses = NATIVE): ClientRow['titles'] {
  const on = (model: string) => new RegExp(`^${name} on ${api} with ${model}`)
  return { chat: on(CHAT), responses: on(responses), messages: on(MESSAGES) }
}

const sdk = (endpoint: string, name: string) => ({
  chat: new RegExp(` ${endpoint}->chat \\w+ ${name}$`),
  responses: new RegExp(` ${endpoint}->responses \\w+ ${name}$`),
  messages: new RegExp(` ${endpoint}->messages \\w+ ${name}$`),
})

const completions = (name: string) => ({
  chat: new RegExp(`^${name} vendorC/model-4.1-mini `),
  responses: new RegExp(`^${name} vendorC/model-o4-mini `),
  messages: new RegExp(`^${name} vendorD/text-small `),
})

const suite = (way: string) => ({
  chat: new RegExp(`^Open Responses over a vendor of chat ${way}`),
  responses: new RegExp(`^Open Responses over a vendor of responses ${way}`),
  messages: new RegExp(`^Open Responses over a vendor of messages ${way}`),
})

const videos = (name: string) => ({
  'family A': new RegExp(`^videos of ${name} (vendorA|family A)`),
  'family B': new RegExp(`^videos of ${name} (vendorB|family A is deleted; family B)`),
})

export const CLIENT_ROWS: readonly ClientRow[] = [
  row('Codex CLI', ['@openai/codex'], '/v1/responses', 'agents', through('Codex CLI')),
  row(
    'Codex CLI',
    ['@openai/codex'],
    '/v1/responses, WebSocket',
    'agents',
    through('Codex CLI', 'over a WebSocket'),
  ),
  row('Claude Code', ['@anthropic-ai/claude-code'], '/v1/messages', 'agents', through('Claude Code')),
  row('Qwen Code', ['@qwen-code/qwen-code'], '/v1/chat/completions', 'agents', through('Qwen Code')),
  row('OpenCode', ['opencode-ai'], '/v1/chat/completions', 'agents', through('OpenCode')),
  ...(
    [
      ['@ai-sdk/openai', '/v1/responses', 'responses', NATIVE],
      ['@ai-sdk/openai', '/v1/chat/completions', 'chat', RESPONSES],
      ['@ai-sdk/openai-compatible', '/v1/chat/completions', 'compatible', RESPONSES],
      ['@ai-sdk/anthropic', '/v1/messages', 'messages', NATIVE],
    ] as const
  ).map(([name, endpoint, api, responses]) =>
    row('AI SDK', ['ai', name], endpoint, 'agents', library('ai-sdk', api, responses)),
  ),
  row('OpenAI Agents', ['@openai/agents'], '/v1/responses', 'agents', library('openai-agents', 'responses')),
  row(
    ...(['OpenAI Agents', ['@openai/agents'], '/v1/chat/completions', 'agents'] as const),
    library('openai-agents', 'chat', RESPONSES),
  ),
  row('LangChain', ['@langchain/openai'], '/v1/responses', 'agents', library('langchain', 'responses')),
  row(
    ...(['LangChain', ['@langchain/openai'], '/v1/chat/completions', 'agents'] as const),
    library('langchain', 'chat', RESPONSES),
  ),
  row('LangChain', ['@langchain/anthropic'], '/v1/messages', 'agents', library('langchain', 'messages')),
  row('OpenAI SDK', ['openai'], '/v1/responses', 'sdks', sdk('responses', 'openai-7')),
  row('OpenAI SDK, former major', ['openai-6'], '/v1/responses', 'sdks', sdk('responses', 'openai-6')),
  row('OpenAI SDK', ['openai'], '/v1/chat/completions', 'sdks', completions('openai 7')),
  row('OpenAI SDK, former major', ['openai-6'], '/v1/chat/completions', 'sdks', completions('openai 6')),
  row('Anthropic SDK', ['@anthropic-ai/sdk'], '/v1/messages', 'sdks', sdk('messages', 'anthropic-1')),
  row(
    ...(['Anthropic SDK, former major', ['anthropic-sdk-0'], '/v1/messages', 'sdks'] as const),
    sdk('messages', 'anthropic-0'),
  ),
  row('Open Responses suite, our tests for it', [], '/v1/responses', 'sdks', suite('(?!.*[wW]eb[sS]ocket)')),
  row(
    ...(['Open Responses suite, our tests for it', ['openai'], '/v1/responses, WebSocket', 'sdks'] as const),
    suite('.*[wW]eb[sS]ocket'),
  ),
  row('OpenAI SDK', ['openai'], '/v1/videos', 'videos', videos('openai')),
  row('OpenAI SDK, former major', ['openai-6'], '/v1/videos', 'videos', videos('the openai before it')),
  row('AI SDK', ['ai', '@ai-sdk/bytedance'], '/api/v3/contents/generations/tasks', 'videos', {
    'family A': /^@ai-sdk\/bytedance /,
  }),
  row("curl, as in the vendor's documentation", [], '/api/v3/contents/generations/tasks', 'videos', {
    'family A': /^curl of the vendor /,
  }),
  row('Sluice client', ['@sluice/client'], '/v1/video/generations', 'videos', videos('@sluice/client')),
  row('Python, its standard library', [], '/v1/video/generations', 'videos', {
    'family A': /^Python .* family A$/,
    'family B': /^Python .* family B$/,
  }),
]

function row(
  client: string,
  packages: readonly string[],
  endpoint: string,
  run: CompatibilityRun,
  titles: ClientRow['titles'],
): ClientRow {
  return { client, packages, endpoint, run, titles }
}

/** Names the row in the records. */
export function rowId({ client, packages, endpoint }: ClientRow): string {
  return [client, ...packages, endpoint].join(' ')
}
