import { type ChatVariant, DISPENSABLE_FIELDS, USUAL_CHAT } from '@sluice/dialects/canonical/chat-variant'
import type { Dialect } from '@sluice/dialects/dialect-facts'
import { readVendorError } from '@sluice/dialects/errors/vendor-error'
import { Secret } from '../../../config/secret.ts'
import type { Driver, ProviderProbe } from '../driver.ts'
import { headersOf, pathOf } from './headers.ts'
import { readTextProvider } from './read-settings.ts'
import {
  ownCallsOf,
  TEXT_CHAT_FIELDS,
  TEXT_FIELDS,
  TEXT_KEY_FIELDS,
  TEXT_MODEL_FIELDS,
  type TextModel,
  type TextProviderSettings,
  USUAL_MODEL,
} from './settings.ts'

export const text: Driver<TextProviderSettings> = {
  reference: [
    'Text models.',
    TEXT_FIELDS,
    `\`api_keys\` (in place of \`api_key\`) lists several keys, which share the calls and stand in for each other. Each item is a mapping of
these; \`- \${KEY}\` is short for \`- { key: \${KEY} }\`:`,
    TEXT_KEY_FIELDS,
    '`models` (required) maps model names to mappings of these; `model-4.1: chat` is short for `model-4.1: { dialect: chat }`:',
    TEXT_MODEL_FIELDS,
    '`chat` (optional) is a mapping of its own, for vendors whose chat completions differ from the original Chat Completions API:',
    TEXT_CHAT_FIELDS,
    `\`leaves_out\` (optional) in it lists fields that the vendor refuses: they are not sent, and the client is told what it loses. They are\n${DISPENSABLE_FIELDS.map((name) => `\`${name}\``).join(', ')}.`,
  ],
  read: readTextProvider,
  probes: probesOf,
  trials: trialsOf,
  modelList: modelListOf,
  sandbox: (url) => [
    {
      ...sandboxProvider('vendorC', url),
      models: new Map([
        sandboxModel('model-5.3-codex', 'responses'),
        sandboxModel('model-4.1', 'chat'),
        sandboxModel('model-4.1-mini', 'chat'),
        sandboxModel('model-o3', 'responses'),
        sandboxModel('model-o4-mini', 'responses'),
        sandboxModel('embed-small', 'chat'),
      ]),
    },
    {
      ...sandboxProvider('vendorD', url),
      models: new Map([sandboxModel('text-large', 'messages'), sandboxModel('text-small', 'messages')]),
    },
  ],
  text: {
    async open(provider, parts) {
      const { textProvider } = await import('./provider.ts')
      return textProvider({ ...parts, ...provider })
    },
  },
}

/** Probes with free, empty requests: each dialect with the first key, and each further key with the first dialect. */
function probesOf({ name, keys, models, versionHeader, chat }: TextProviderSettings): ProviderProbe[] {
  const dialects = [...new Set([...models.values()].map(({ dialect }) => dialect))]
  return dialects.flatMap((dialect, at) =>
    (at === 0 ? keys : keys.slice(0, 1)).map(({ key }, index) => ({
      name: `provider ${name} (${dialect}${keys.length > 1 ? `, key ${index + 1}` : ''})`,
      method: 'POST',
      path: pathOf(dialect, 'create', { chat: chat?.path }),
      headers: headersOf(dialect, { key, versionHeader }),
      body: '{}',
      showsKey: true,
      keySetting: 'api_key (or api_keys)',
      isOwn404: reportsModel,
    })),
  )
}

/** Some vendors answer a request that names no model with 404 and `model_not_found`. */
function reportsModel(body: unknown): boolean {
  const { code } = readVendorError(body)
  return code === 'model_not_found'
}

/** Calls every model with the first key, and probes further keys without cost. */
function trialsOf(provider: TextProviderSettings, embeds: ReadonlySet<string>): ProviderProbe[] {
  const { name, keys, models, versionHeader, chat } = provider
  const [first] = keys
  if (first === undefined) return []
  const calls = Array.from(models, ([model, { dialect, upstream }]): ProviderProbe => {
    const call = { model: upstream, bound: chat?.outputBound ?? USUAL_CHAT.outputBound }
    const isEmbedding = embeds.has(`${name}/${model}`)
    const body = isEmbedding ? { model: upstream, input: 'hello' } : CHEAP_CALLS[dialect](call)
    return {
      name: `model ${name}/${model}`,
      method: 'POST',
      path: pathOf(dialect, isEmbedding ? 'embed' : 'create', { chat: chat?.path }),
      headers: headersOf(dialect, { key: first.key, versionHeader }),
      body: JSON.stringify(body),
      showsKey: true,
      keySetting: 'api_key (or api_keys)',
      model: upstream,
      isOwn404: () => false,
    }
  })
  return [...calls, ...probesOf({ ...provider, models: new Map([...models].slice(0, 1)) }).slice(1)]
}

/** Returns the call that lists models. Its path is beside chat completions, whose path may be configured. */
function modelListOf({ keys, models, versionHeader, chat }: TextProviderSettings) {
  const [first] = keys
  const [{ dialect } = { dialect: 'chat' as const }] = models.values()
  const path = chat?.path.endsWith('/chat/completions')
    ? chat.path.replace(/chat\/completions$/, 'models')
    : '/v1/models'
  return first && { path, headers: headersOf(dialect, { key: first.key, versionHeader }) }
}

/** Output limit of a trial call: cheap, and not below the minimum of the known vendors. */
const CHEAP_TOKENS = 16
const HELLO = [{ role: 'user', content: 'Say hello.' }]

const CHEAP_CALLS: Record<Dialect, (call: { model: string; bound: ChatVariant['outputBound'] }) => object> = {
  messages: ({ model }) => ({ model, max_tokens: CHEAP_TOKENS, messages: HELLO }),
  responses: ({ model }) => ({ model, max_output_tokens: CHEAP_TOKENS, input: 'Say hello.', store: false }),
  chat: ({ model, bound }) => ({ model, [bound]: CHEAP_TOKENS, messages: HELLO }),
}

function sandboxProvider(name: string, url: string) {
  return {
    name,
    driver: 'text',
    baseUrl: `${url}/text`,
    keys: [{ key: new Secret('sandbox'), weight: 1 }],
    versionHeader: 'compat-version',
  } as const
}

function sandboxModel(name: string, dialect: Dialect): [string, TextModel] {
  return [name, { dialect, upstream: name, ...ownCallsOf(dialect), ...USUAL_MODEL }]
}
