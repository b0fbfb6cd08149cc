import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCatalogFile } from '../../../src/config/catalog/load-catalog.ts'
import { mergeCatalog, mergeProviders } from '../../../src/config/presets/merge-presets.ts'
import { loadPresets } from '../../../src/config/presets/presets.ts'
import { startTextGateway, type TextGateway } from '../text-resilience/start-text-gateway.ts'
import { WHOLE } from '../text-resilience/vendor-message.ts'

/** Values of each vendor's own reference, not read from the presets. */
interface Reference {
  origin: string
  path: string
  key: 'bearer' | 'x-api-key' | 'any bearer'
  /** Name of the output limit. */
  bound: 'max_output_tokens' | 'max_completion_tokens' | 'max_tokens'
  /** The models that take an effort of reasoning. */
  reasons: RegExp
  /** Fields that are answered with an error. */
  refuses: readonly string[]
  /** The models that think by effort, and those of them that cannot stop. */
  thinks?: { byEffort: RegExp; always: RegExp }
}

const NONE = /^$/
const OPENAI_ONLY = ['prompt_cache_key', 'service_tier', 'verbosity']

const REFERENCES: Record<string, Reference> = {
  anthropic: {
    ...{ origin: 'https://api.anthropic.com', path: '/v1/messages', key: 'x-api-key' },
    ...{ bound: 'max_tokens', reasons: /./, refuses: [...OPENAI_ONLY, 'user', 'reasoning_effort'] },
    thinks: { byEffort: /opus-4-[78]|opus-5|sonnet-5|fable-5/, always: /opus-5-5|fable-5-1/ },
  },
  deepseek: chat('https://api.deepseek.com', '/v1/chat/completions'),
  google: {
    ...chat('https://generativelanguage.googleapis.com', '/v1beta/openai/chat/completions'),
    ...{ reasons: /gemini-[23]/, refuses: [...OPENAI_ONLY, 'user', 'store'] },
  },
  groq: {
    ...chat('https://api.groq.com', '/openai/v1/chat/completions'),
    ...{ bound: 'max_completion_tokens', reasons: /gpt-oss/ },
  },
  'llama-cpp': { ...chat('http://127.0.0.1:8081', '/v1/chat/completions'), key: 'any bearer' },
  mistral: {
    ...chat('https://api.mistral.ai', '/v1/chat/completions'),
    refuses: [...OPENAI_ONLY, 'user', 'stream_options', 'max_completion_tokens'],
  },
  ollama: { ...chat('http://127.0.0.1:11434', '/v1/chat/completions'), key: 'any bearer' },
  openai: {
    ...chat('https://api.openai.com', '/v1/responses'),
    ...{ bound: 'max_output_tokens', reasons: /^(gpt-[56]|o3|o4)/, refuses: [] },
  },
  openrouter: {
    ...chat('https://openrouter.ai', '/api/v1/chat/completions'),
    ...{ reasons: /./, refuses: [] },
  },
  vllm: { ...chat('http://127.0.0.1:8000', '/v1/chat/completions'), key: 'any bearer' },
  xai: { ...chat('https://api.x.ai', '/v1/chat/completions'), bound: 'max_completion_tokens' },
}

function chat(origin: string, path: string): Reference {
  return { origin, path, key: 'bearer', bound: 'max_tokens', reasons: NONE, refuses: OPENAI_ONLY }
}

/** The names of models that are not the vendor's own. */
const OWN_IDS: Record<string, string> = { 'vllm/qwen3-8b': 'Qwen/Qwen3-8B' }

const presets = loadPresets()

/** Presets of video vendors have a test of their own: video-preset.test.ts. */
const textPresets = presets.filter(({ plain }) => plain.provider.driver === 'text')

test('every preset of a text vendor has its reference here, and the other way round', () => {
  expect(textPresets.map(({ name }) => name)).toEqual(Object.keys(REFERENCES))
})

test('each preset has its own model_id, so that all fit into one catalog', () => {
  const ids = [...mergeCatalog(presets).text.matchAll(/model_id: (\d+)/g)].map(([, id]) => id)
  expect(ids).toHaveLength(presets.flatMap(({ models }) => models).length)
  expect(new Set(ids).size).toBe(ids.length)
})

describe.each(textPresets)('the preset $name', (preset) => {
  const reference = REFERENCES[preset.name] ?? expect.fail('it has no reference')
  const providers = mergeProviders([preset]).text
  const catalog = mergeCatalog([preset]).text
  let gateway: TextGateway
  beforeAll(async () => {
    expect(providers).toContain(`base_url: ${reference.origin}`)
    const variables = [...providers.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)
    expect(variables).toEqual(preset.variable === undefined ? [] : [preset.variable])
    gateway = await startTextGateway({
      providers: providers.replace(reference.origin, 'VENDOR'),
      catalog,
      environment: Object.fromEntries(variables.map((name) => [name, 'the-key'])),
    })
    gateway.answer = ({ headers, url }, response) => {
      const fault =
        pathFault(url, reference) ??
        headerFault(headers, reference) ??
        bodyFault(Object(JSON.parse(gateway.received)), reference)
      response.writeHead(fault === undefined ? 200 : 400, { 'content-type': 'application/json' })
      response.end(fault === undefined ? replyOf(reference) : JSON.stringify({ error: { message: fault } }))
    }
  })
  afterAll(() => gateway.close())

  test('has the date of its prices, or no prices', () => {
    const isFree = !/usd_per_million: (?!0 )/.test(catalog)
    expect(preset.prices === undefined).toBe(isFree)
    if (preset.prices !== undefined) {
      expect(preset.prices).toMatchObject({
        ...{ taken: expect.stringMatching(/^20\d\d-\d\d-\d\d$/), page: expect.stringMatching(/^https:/) },
      })
      expect(catalog).toContain(preset.prices.taken)
    }
  })

  test('serves every model, and lists it with its context size and prices', async () => {
    const headers = { authorization: `Bearer ${gateway.key}` }
    const { data } = Object(await (await fetch(`${gateway.url}/v1/models`, { headers })).json())
    expect(data.map(({ id }: { id: string }) => id).toSorted()).toEqual(preset.models.toSorted())
    for (const row of data)
      expect(row).toMatchObject({
        kind: isEmbedding(row.id) ? 'embedding' : 'text',
        context_tokens: expect.any(Number),
      })
  })

  test.each(preset.models.filter(isEmbedding).map((model) => [model]))(
    '%s makes embeddings',
    async (model) => {
      const { answer } = gateway
      let asked: string | undefined
      gateway.answer = ({ url, headers }, response) => {
        asked = headerFault(headers, reference) ?? url
        const data = [{ object: 'embedding', index: 0, embedding: [1] }]
        response.end(JSON.stringify({ object: 'list', data, usage: { prompt_tokens: 1, total_tokens: 1 } }))
      }
      const reply = await gateway.call('/v1/embeddings', { model, input: 'hello' })
      gateway.answer = answer
      expect(asked).toBe(reference.path.replace(/chat\/completions|responses/, 'embeddings'))
      expect(reply).toMatchObject({ status: 200 })
      expect(JSON.parse(gateway.received).model).toBe(model.replace(/^[^/]+\//, ''))
    },
  )

  const texts = preset.models.filter((model) => !isEmbedding(model))
  test.each(texts.map((model) => [model]))('%s is called as its vendor wants it', async (model) => {
    const message = await gateway.call('/v1/messages', {
      ...{ model, max_tokens: 32, system: 'Be short.', metadata: { user_id: 'u' } },
      messages: [{ role: 'user', content: 'hello' }],
    })
    expect({ model, ...message }).toMatchObject({ model, status: 200 })
    const response = await gateway.call('/v1/responses', {
      ...{ model, max_output_tokens: 32, instructions: 'Be short.', input: 'hello' },
      ...(reference.path === '/v1/responses'
        ? {}
        : { prompt_cache_key: 'k', reasoning: { effort: 'low' }, service_tier: 'auto', user: 'u' }),
    })
    expect({ model, ...response }).toMatchObject({ model, status: 200 })
    const { thinks } = reference
    for (const effort of thinks === undefined ? [] : ['none', 'high']) {
      const tools = [{ type: 'function', name: 'f', parameters: { type: 'object' } }]
      const thought = await gateway.call('/v1/responses', {
        ...{ model, input: 'hello', reasoning: { effort }, temperature: 0.5, top_p: 0.5 },
        ...{ tools, tool_choice: 'required' },
      })
      expect({ model, ...thought }).toMatchObject({ model, status: 200 })
    }
    expect(JSON.parse(gateway.received)).toMatchObject({
      model: OWN_IDS[model] ?? model.replace(/^[^/]+\//, ''),
    })
  })
})

function isEmbedding(model: string): boolean {
  return model.includes('embed')
}

function pathFault(url: string | undefined, { path }: Reference): string | undefined {
  return url === path ? undefined : `there is nothing at ${url}`
}

function headerFault(headers: IncomingHttpHeaders, { key }: Reference): string | undefined {
  const { authorization, 'x-api-key': apiKey, 'anthropic-version': version } = headers
  if (headers['content-type'] !== 'application/json') return 'it is not JSON'
  if (key === 'x-api-key') {
    if (authorization !== undefined) return 'it has two keys'
    if (version !== '2023-06-01') return 'anthropic-version: header is required'
    return apiKey === 'the-key' ? undefined : 'invalid x-api-key'
  }
  if (apiKey !== undefined || version !== undefined) return 'it has headers of another vendor'
  if (key === 'any bearer') return authorization?.startsWith('Bearer ') ? undefined : 'no bearer token'
  return authorization === 'Bearer the-key' ? undefined : 'invalid api key'
}

function bodyFault(body: Record<string, unknown>, reference: Reference): string | undefined {
  const { bound, refuses, reasons } = reference
  const bounds = ['max_output_tokens', 'max_completion_tokens', 'max_tokens'].filter((name) => name in body)
  if (bounds.join() !== bound) return `the bound is ${bounds.join() || 'missing'}`
  const strange = refuses.find((name) => name in body)
  if (strange !== undefined) return `property '${strange}' is unsupported`
  const hasEffort = 'reasoning_effort' in body || 'reasoning' in body
  if (hasEffort && !reasons.test(String(body.model))) return 'this model takes no reasoning effort'
  const thought = thinkingFault(body, reference)
  if (thought !== undefined) return thought
  const messages = Array.isArray(body.messages) ? body.messages : []
  return messages.some(({ role }) => role === 'developer') ? 'unknown role developer' : undefined
}

function thinkingFault(body: Record<string, unknown>, { thinks }: Reference): string | undefined {
  if (thinks === undefined) return undefined
  const [model, thinking, choice] = [
    String(body.model),
    Object(body.thinking).type,
    Object(body.tool_choice).type,
  ]
  if (thinks.always.test(model) && thinking === 'disabled') return 'thinking.type.disabled is not supported'
  if (thinks.always.test(model) && choice === 'any') return 'forced tool use is not supported'
  if (thinking === 'enabled' && choice === 'any')
    return 'thinking may not be enabled when tool_choice forces tool use'
  if (!thinks.byEffort.test(model)) {
    if (thinking === 'adaptive') return 'adaptive thinking is not supported'
    return 'temperature' in body && 'top_p' in body
      ? 'temperature and top_p cannot both be specified'
      : undefined
  }
  if (thinking === 'enabled') return 'thinking.type.enabled is not supported'
  return 'temperature' in body || 'top_p' in body ? 'sampling options are not supported' : undefined
}

function replyOf({ path }: Reference): string {
  if (path.endsWith('/messages')) return WHOLE
  const usage = { input_tokens: 3, output_tokens: 5, total_tokens: 8 }
  if (path.endsWith('/responses')) {
    const content = [{ type: 'output_text', text: 'Hello.', annotations: [] }]
    const output = [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }]
    const ids = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' }
    return JSON.stringify({ ...ids, output, usage })
  }
  return JSON.stringify({
    ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 },
  })
}

test('a catalog of presets with a price list has the prices of the vendor beside ours, and others have none', () => {
  for (const preset of loadPresets()) {
    const source = mergeCatalog([preset]).text
    const entries = readCatalogFile({
      fileName: 'catalog.yaml',
      source,
      report: (fault) => expect.fail(fault.wrong),
    })
    expect(entries.length).toBeGreaterThan(0)
    for (const { name, prices, vendorPrices } of entries)
      expect([name, vendorPrices]).toEqual([name, preset.prices === undefined ? undefined : prices])
  }
})
