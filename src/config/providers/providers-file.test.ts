import { USUAL_CHAT } from '@sluice/dialects/canonical/chat-variant'
import { describe, expect, test } from 'vitest'
import { DRIVERS, type Provider } from '../../adapters/providers/drivers.ts'
import type { ConfigProblem } from '../config-error.ts'
import { readProvidersFile } from './providers-file.ts'

const ENVIRONMENT = {
  KEY_A: 'key-a',
  KEY_B: 'key-b',
  HOST_NAME: 'api.example',
  EMPTY: '',
  TRICKY: 'x, models: {}\n#"',
}

function read(source: string): { providers: Provider[]; faults: string[] } {
  const faults: ConfigProblem[] = []
  const providers = readProvidersFile<Provider>({
    fileName: 'sluice.yaml',
    source,
    environment: ENVIRONMENT,
    drivers: DRIVERS,
    report: (fault) => faults.push(fault),
  })
  return { providers, faults: faults.map(({ setting, wrong, fix }) => `${setting}: ${wrong}. ${fix}`) }
}

const WHOLE = `
# A comment may mention \${ANYTHING}.
providers:
  vendorA:
    driver: vendor-a
    base_url: https://\${HOST_NAME}/api/v3/
    api_key: \${KEY_A}
    models: { gen-2.0: upstream-id, gen-2.0-fast: 1.0 }
    execution_expires_after: 3600
    execution_expires_min: 60
    assets:
      endpoint: https://assets.example
      access_key: \${KEY_A}
      secret_key: "pre-\${KEY_B}-post"
      region: r1
      service: s1
      token_field: Token
  vendorB: { driver: vendor-b, base_url: https://b.example, api_key: \${KEY_B} }
  vendorC:
    driver: text
    base_url: http://127.0.0.1:9000
    api_key: 0123456789
    models:
      model-5: { dialect: responses, counts_tokens: false }
      model-r: { dialect: responses, compacts: false }
      model-4.1: { dialect: chat, upstream: gpt-like-4.1, reasons: false }
      model-s: messages
  vendorD:
    driver: text
    base_url: https://d.example
    api_keys: [ \${KEY_A}, { key: \${KEY_B}, weight: 2 }, { key: plain } ]
    version_header: x-version
    chat: { path: /chat/completions, instructions: first, output_bound: max_tokens, replays_reasoning: true, checks_signatures: true, bridges_results: true, call_ids: nine, leaves_out: [user, prompt_cache_key] }
    models: { large: { dialect: messages, thinking: adaptive }, small: { dialect: messages, counts_tokens: false } }
`

const NONE = { countsTokens: false, compacts: false, reasons: true, thinking: 'budget' }

test('reads every driver', () => {
  const { providers, faults } = read(WHOLE)
  expect(faults).toEqual([])
  const [a, b, c, d] = providers
  expect(a).toMatchObject({
    driver: 'vendor-a',
    name: 'vendorA',
    baseUrl: 'https://api.example/api/v3',
    models: new Map([
      ['gen-2.0', 'upstream-id'],
      ['gen-2.0-fast', '1.0'],
    ]),
    executionExpiresAfterSeconds: 3600,
    executionExpiresMinSeconds: 60,
    assets: {
      endpoint: 'https://assets.example',
      region: 'r1',
      service: 's1',
      project: 'default',
      tokenField: 'Token',
    },
  })
  expect(a?.driver === 'vendor-a' && a.apiKey.reveal()).toBe('key-a')
  expect(a?.driver === 'vendor-a' && a.assets?.secretKey.reveal()).toBe('pre-key-b-post')
  expect(b).toMatchObject({
    driver: 'vendor-b',
    name: 'vendorB',
    baseUrl: 'https://b.example',
    executionExpiresAfterSeconds: 172_800,
  })
  expect(c).toMatchObject({
    driver: 'text',
    baseUrl: 'http://127.0.0.1:9000',
    versionHeader: 'anthropic-version',
    models: new Map([
      ['model-5', { dialect: 'responses', upstream: 'model-5', ...NONE, compacts: true }],
      ['model-r', { dialect: 'responses', upstream: 'model-r', ...NONE }],
      ['model-4.1', { dialect: 'chat', upstream: 'gpt-like-4.1', ...NONE, reasons: false }],
      ['model-s', { dialect: 'messages', upstream: 'model-s', ...NONE, countsTokens: true }],
    ]),
  })
  expect(c).toHaveProperty('chat', { ...USUAL_CHAT, path: '/v1/chat/completions' })
  expect(keysOf(c)).toEqual(['0123456789 x 1'])
  expect(d).toMatchObject({
    versionHeader: 'x-version',
    chat: {
      path: '/chat/completions',
      instructions: 'first',
      outputBound: 'max_tokens',
      replaysReasoning: true,
      checksSignatures: true,
      bridgesResults: true,
      callIds: 'nine',
      leavesOut: ['user', 'prompt_cache_key'],
    },
    models: new Map([
      [
        'large',
        { ...NONE, dialect: 'messages', upstream: 'large', countsTokens: true, thinking: 'adaptive' },
      ],
      ['small', { dialect: 'messages', upstream: 'small', ...NONE }],
    ]),
  })
  expect(keysOf(d)).toEqual(['key-a x 1', 'key-b x 2', 'plain x 1'])
})

function keysOf(provider: Provider | undefined): string[] | undefined {
  return provider?.driver === 'text'
    ? provider.keys.map(({ key, weight }) => `${key.reveal()} x ${weight}`)
    : undefined
}

test.each(['', '# nothing yet\n', 'providers:\n', 'providers: {}\n', 'providers: null\n'])(
  '%j has no providers',
  (source) => {
    expect(read(source)).toEqual({ providers: [], faults: [] })
  },
)

test('defaults of vendor-a', () => {
  const { providers } = read(
    'providers: { v: { driver: vendor-a, base_url: https://a.example, api_key: k, models: { m: u } } }',
  )
  expect(providers[0]).toMatchObject({ executionExpiresAfterSeconds: 172_800, assets: undefined })
})

test.each([
  ['execution_expires_after: 7200', { executionExpiresAfterSeconds: 7_200 }],
  ['execution_expires_min: 3600', { executionExpiresMinSeconds: 3_600 }],
])('vendor-b can set its expiry times too: %s', (time, provider) => {
  const source = `providers: { b: { ${KEYED}, api_key: k, ${time} } }`
  expect(read(source)).toMatchObject({ providers: [provider], faults: [] })
})

test('a variable cannot change the structure of the file', () => {
  const { providers, faults } = read(
    `providers: { v: { driver: vendor-a, base_url: https://a.example, api_key: k, models: { m: "\${TRICKY}" } } }`,
  )
  expect(providers).toEqual([])
  expect(faults).toEqual([
    `sluice.yaml:1:91 providers.v.models.m: "\${TRICKY}" holds a control character. Use the vendor's own id of the model.`,
  ])
})

const NAMES = Object.keys(DRIVERS).join(', ')
const KEYED = 'driver: vendor-b, base_url: https://b.example'

describe('faults, in full', () => {
  test.each([
    [
      `providers:\n  vendorA:\n    driver: vendor-a\n    base_url: https://a.example\n    api_key: \${VENDOR_A_API_KEY}\n    models: { m: u }\n`,
      'sluice.yaml:5:14 providers.vendorA.api_key: the variable VENDOR_A_API_KEY is not set. Set VENDOR_A_API_KEY in the environment, or write the value here.',
    ],
    [
      `providers: { b: { ${KEYED}, api_key: \${EMPTY} } }`,
      'sluice.yaml:1:75 providers.b.api_key: the variable EMPTY is not set. Set EMPTY in the environment, or write the value here.',
    ],
    [
      `providers: { b: { ${KEYED}, api_key: "\${KEY B}" } }`,
      `sluice.yaml:1:75 providers.b.api_key: "\${KEY B}" does not name a variable. Write \${NAME} with letters, digits and underscores.`,
    ],
    [
      `providers: { b: { ${KEYED}, api_key: \${toString} } }`,
      'sluice.yaml:1:75 providers.b.api_key: the variable toString is not set. Set toString in the environment, or write the value here.',
    ],
    [
      `providers: { b: { ${KEYED} } }`,
      'sluice.yaml:1:17 providers.b.api_key: it is missing. Use a secret text of plain ASCII without spaces.',
    ],
    [
      `providers: { b: { ${KEYED}, api_key: k, apikey: k } }`,
      'sluice.yaml:1:86 providers.b.apikey: it is not a known key. Did you mean api_key? The keys here are driver, base_url, api_key, execution_expires_after, execution_expires_min.',
    ],
    [
      'providers: { b: { driver: vendor-c } }',
      `sluice.yaml:1:27 providers.b.driver: "vendor-c" is not one of the known words. Did you mean vendor-a? Use one of ${NAMES}.`,
    ],
    ['providers: { b: {} }', `sluice.yaml:1:17 providers.b.driver: it is missing. Use one of ${NAMES}.`],
    [
      'providers: { b/c: { driver: text } }',
      'sluice.yaml:1:19 providers.b/c: "b/c" is not a provider name. Use letters, digits, dots, hyphens and underscores, beginning with a letter.',
    ],
    [
      'providers: { t: { driver: text, base_url: https://t.example/v1/, api_key: k, models: { m: chat } } }',
      'sluice.yaml:1:43 providers.t.base_url: "https://t.example/v1/" ends in /v1. Leave /v1 out: Sluice adds it.',
    ],
    [
      'providers: { t: { driver: text, base_url: https://t.example, api_key: k, models: { m: { dialect: chta } } } }',
      'sluice.yaml:1:98 providers.t.models.m.dialect: "chta" is not one of the known words. Did you mean chat? Use one of messages, responses, chat.',
    ],
    [
      'providers: { t: { driver: text, base_url: https://t.example, api_key: k, chat: { leaves_out: [user, usr] }, models: { m: chat } } }',
      'sluice.yaml:1:101 providers.t.chat.leaves_out.1: "usr" is not one of the known words. Did you mean user? Use one of parallel_tool_calls, prompt_cache_key, service_tier, stream_options, user, verbosity.',
    ],
    [
      'providers: { t: { driver: text, base_url: https://t.example, api_key: k, chat: { paht: /x }, models: { m: chat } } }',
      'sluice.yaml:1:88 providers.t.chat.paht: it is not a known key. Did you mean path? The keys here are path, instructions, output_bound, replays_reasoning, checks_signatures, bridges_results, call_ids, leaves_out.',
    ],
    [
      'providers: { t: { driver: text, base_url: https://t.example, api_key: k } }',
      'sluice.yaml:1:17 providers.t.models: no model is listed. List at least one model under models.',
    ],
    [
      'providers: { t: { driver: text, base_url: https://t.example, api_key: k, models: [m] } }',
      'sluice.yaml:1:82 providers.t.models: it is not a mapping. Write it as "name: value" lines, indented by two spaces.',
    ],
    [
      'providers: { t: { driver: text, base_url: https://t.example, api_key: [k], models: { m: chat } } }',
      'sluice.yaml:1:71 providers.t.api_key: it is not a plain value. Write one value after the colon.',
    ],
    [
      'providers: { t: { driver: text, base_url: https://t.example, api_key: k, models: { m: { dialect: messages, counts_tokens: maybe } } } }',
      'sluice.yaml:1:123 providers.t.models.m.counts_tokens: "maybe" is not one of the known words. Use one of true, false.',
    ],
    [
      '- a\n- b\n',
      'sluice.yaml:1:1: it is not a mapping. Write it as "name: value" lines, indented by two spaces.',
    ],
    [
      'providers:\n  a: 1\n  a: 2\n',
      'sluice.yaml:3:3: not valid YAML: Map keys must be unique. Correct the file at this place.',
    ],
    [
      'providers: *nothing\n',
      'sluice.yaml: not valid YAML: Unresolved alias (the anchor must be set before the alias): nothing. Correct the file at this place.',
    ],
  ])('%s', (source, message) => {
    expect(read(source)).toEqual({ providers: [], faults: [message] })
  })
})

test('several faults are reported together, and valid providers are still read', () => {
  const { providers, faults } = read(`
providers:
  good: { ${KEYED}, api_key: k }
  bad:
    driver: vendor-a
    base_url: a.example
    execution_expires_after: soon
    modles: {}
    assets: { endpoint: https://x.example, region: r }
`)
  expect(providers.map(({ name }) => name)).toEqual(['good'])
  expect(faults.map((fault) => fault.split(': ')[0]?.split(' ')[1])).toEqual([
    'providers.bad.modles',
    'providers.bad.base_url',
    'providers.bad.api_key',
    'providers.bad.execution_expires_after',
    'providers.bad.models',
    'providers.bad.assets.access_key',
    'providers.bad.assets.secret_key',
    'providers.bad.assets.service',
  ])
})

test('a broken file does not print the keys in it', () => {
  const { faults } = read('providers:\n  b: { driver: vendor-b, api_key: canary7f3a\n  c: {')
  expect(faults.length).toBeGreaterThan(0)
  expect(faults.join()).toMatch(/sluice\.yaml:\d+:\d+/)
  expect(faults.join()).not.toContain('canary7f3a')
})

test('a wrong secret in the file is not printed', () => {
  const { faults } = read(`providers: { b: { ${KEYED}, api_key: "canary 7f3a" } }`)
  expect(faults).toHaveLength(1)
  expect(faults.join()).not.toContain('canary')
})

test('a bomb of aliases is refused', () => {
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg']) {
    bomb.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(', ')}]`)
  }
  expect(read(bomb.join('\n')).faults[0]).toContain('not valid YAML: Excessive alias count')
})
