import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function write(source: string): string {
  const path = join(folder, 'catalog.yaml')
  writeFileSync(path, source)
  return path
}

const CHANGES = `
models:
  - model_id: 8
    name: vendorC/model-4.1-mini
    max_output_tokens: 1000
    prices:
      - { unit: input_token, usd_per_million: 0.5 }
      - { unit: output_token, usd_per_million: 1.6 }
  - { model_id: 5, name: vendorB/gen-v3, prices: [{ unit: second, usd: 0.04 }] }
  - { model_id: 20, name: acme/fresh, endpoints: [responses], prices: [{ unit: input_token, usd_per_million: 1 }] }
`
const PLAN = `vendorC/model-4.1-mini (model 8): changed
  max_output_tokens: 32768 -> 1000
  input_token: 0.4 -> 0.5
  cached_input_token: 0.1 -> none
acme/fresh (model 20): new
  endpoints: default -> responses
  input_token: none -> 1
  WARNING  no price for output_token: clients get 503
1 model as listed already.
`
const PLAN_JSON = [
  {
    model_id: 8,
    name: 'vendorC/model-4.1-mini',
    change: 'changed',
    differences: [
      { what: 'max_output_tokens', from: '32768', to: '1000' },
      { what: 'input_token', from: '0.4', to: '0.5' },
      { what: 'cached_input_token', from: '0.1', to: null },
    ],
    warnings: [],
  },
  { model_id: 5, name: 'vendorB/gen-v3', change: 'unchanged', differences: [], warnings: [] },
  {
    model_id: 20,
    name: 'acme/fresh',
    change: 'new',
    differences: [
      { what: 'endpoints', from: null, to: 'responses' },
      { what: 'input_token', from: null, to: '1' },
    ],
    warnings: ['no price for output_token: clients get 503'],
  },
]

test('apply shows the changes, then makes them', async () => {
  const { services, calls } = fakeServices()
  expect(await run(['apply', write(CHANGES)], services)).toEqual({
    exitCode: 0,
    result: `${PLAN}Done: 1 new, 1 changed.\n`,
    notice: '',
  })
  expect(calls).toEqual(['open', ['planCatalog'], ['applyCatalog'], 'close'])
})

test('apply --json prints the rows and nothing else', async () => {
  const { services } = fakeServices()
  const { exitCode, result, notice } = await run(['apply', write(CHANGES), '--json'], services)
  expect({ exitCode, notice }).toEqual({ exitCode: 0, notice: '' })
  expect(JSON.parse(result)).toEqual(PLAN_JSON)
})

test('a dry run only shows', async () => {
  const { services, calls } = fakeServices()
  const path = write(CHANGES)
  expect(await run(['apply', path, '--dry-run'], services)).toEqual({
    exitCode: 0,
    result: `${PLAN}A dry run: nothing was changed.\n`,
    notice: '',
  })
  const { result } = await run(['apply', path, '--dry-run', '--json'], services)
  expect(JSON.parse(result)).toEqual(PLAN_JSON)
  expect(calls).not.toContainEqual(['applyCatalog'])
})

test('apply reports that nothing changes', async () => {
  const { services, calls } = fakeServices()
  const path = write('models: [{ model_id: 5, name: vendorB/gen-v3 }]')
  expect((await run(['apply', path], services)).result).toBe(
    '1 model as listed already.\nNothing to change.\n',
  )
  expect(JSON.parse((await run(['apply', path, '--json'], services)).result)).toEqual([PLAN_JSON[1]])
  expect(calls).not.toContainEqual(['applyCatalog'])
})

test('a faulty file is reported before the store is opened', async () => {
  const { services, calls } = fakeServices()
  const { exitCode, result, notice } = await run(
    ['apply', write('models: [{ model_id: 5 }]'), '--json'],
    services,
  )
  expect({ exitCode, result, calls }).toEqual({ exitCode: 1, result: '', calls: [] })
  expect(notice).toContain('catalog.yaml:1:10 models.0.name: it is missing.')
})

test('a number that belongs to another name is refused', async () => {
  const { services } = fakeServices()
  const path = write('models: [{ model_id: 5, name: vendorB/other }]')
  expect(await run(['apply', path, '--json'], services)).toEqual({
    exitCode: 1,
    result: '',
    notice: 'The model_id 5 belongs to vendorB/gen-v3. Give vendorB/other a number that is free.\n',
  })
})

test('an unknown fallback is refused', async () => {
  const { services } = fakeServices()
  const path = write('models: [{ model_id: 7, name: vendorC/model-4.1, fallbacks: [vendorD/text-huge] }]')
  expect(await run(['apply', path], services)).toEqual({
    exitCode: 1,
    result: '',
    notice:
      'The fallback vendorD/text-huge of vendorC/model-4.1 is not a model of the catalog. Correct it, or list that model too.\n',
  })
})

test('model list shows prices and the cost of a plain request', async () => {
  const { services } = fakeServices()
  const { result } = await run(['model', 'list'], services)
  expect(result).toMatch(/^ID +NAME +ENDPOINTS +MAX OUTPUT {2}CONTEXT +SOLD +USD +EXAMPLE\n/)
  expect(result).toMatch(
    /^1 +vendorA\/gen-2\.0 +- +- +- +million video_tokens, video_input=false +7 +5 s at 720p: 0\.7623 USD$/m,
  )
  expect(result).toMatch(
    /^8 +vendorC\/model-4\.1-mini +messages responses chat +32768 +1047576 +million input_tokens +0\.4 +1,000 tokens in, 1,000 out: 0\.002 USD$/m,
  )
  expect(result).toMatch(/^ +second, resolution=1080p, video_input=true +0\.625$/m)
  expect(result).toMatch(/^ +fast \(alias of vendorC\/model-4\.1-mini\) *$/m)
  expect(result).toMatch(/^ +film \(alias of vendorB\/gen-v3, only org_1\) *$/m)
})

test.each([
  [
    ['fast', 'vendorD/text-small'],
    'fast is vendorD/text-small, within 5 seconds everywhere. It was vendorC/model-4.1-mini.\n',
  ],
  [
    ['new', 'vendorD/text-small', '--org', 'org_1'],
    'new is vendorD/text-small for org_1, within 5 seconds everywhere.\n',
  ],
  [['fast', '--remove'], 'The alias fast is removed. Clients get 404 for it within 5 seconds.\n'],
])('model alias %j', async (words, result) => {
  const { services } = fakeServices()
  expect(await run(['model', 'alias', ...words], services)).toMatchObject({ exitCode: 0, result })
})

test('model add and model update read one model of a file', async () => {
  const { services, calls } = fakeServices()
  const path = write('name: acme/new')
  const added = await run(['model', 'add', path], services)
  expect(added).toMatchObject({ exitCode: 0 })
  expect(added.result).toBe(
    'acme/new (model 7): new\n  published: yes -> no\nIn force everywhere within 5 seconds.\n',
  )
  const { result } = await run(['model', 'update', 'acme/new', path, '--json'], services)
  expect(JSON.parse(result)).toMatchObject({ name: 'acme/new', change: 'changed' })
  expect(calls).toContainEqual(['addModel', 'name: acme/new'])
  expect(calls).toContainEqual(['updateModel', 'acme/new', 'name: acme/new'])
  const missing = await run(['model', 'add', 'no-such.yaml'], services)
  expect(missing).toMatchObject({ exitCode: 1, notice: expect.stringContaining('there is no such file') })
})

test.each([
  ['publish', true, 'acme/new is published. Clients see it within 5 seconds.\n'],
  ['unpublish', false, 'acme/new is not published. Clients get 404 for it within 5 seconds.\n'],
])('model %s', async (verb, published, result) => {
  const { services, calls } = fakeServices()
  expect(await run(['model', verb, 'acme/new'], services)).toMatchObject({ exitCode: 0, result })
  expect(calls).toContainEqual(['updateModel', 'acme/new', JSON.stringify({ published })])
})

test('model alias without a model is a usage error, before the store is opened', async () => {
  const { services, calls } = fakeServices()
  const { exitCode, notice } = await run(['model', 'alias', 'fast'], services)
  expect(exitCode).toBe(2)
  expect(notice).toContain('Name the model, or use --remove.')
  expect(calls).toEqual([])
})

test('model remove names the removed model, and the time until clients get 404', async () => {
  const { services, calls } = fakeServices()
  const { exitCode, result } = await run(['model', 'remove', 'openai/gpt-4o'], services)
  expect(exitCode).toBe(0)
  expect(result).toBe('The model openai/gpt-4o is removed. Clients get 404 for it within 5 seconds.\n')
  expect(calls).toContainEqual(['removeModel', 'openai/gpt-4o'])
})

test('model list --json', async () => {
  const { services } = fakeServices()
  const rows = JSON.parse((await run(['model', 'list', '--json'], services)).result)
  expect(rows).toHaveLength(13)
  expect(rows[4]).toEqual({
    model_id: 5,
    name: 'vendorB/gen-v3',
    like: null,
    endpoints: [],
    max_output_tokens: null,
    context_tokens: null,
    long_context_tokens: null,
    fallbacks: [],
    fallback_price: null,
    route: [],
    route_by: null,
    stand_ins: [],
    watermark: null,
    bounds: null,
    published: true,
    vendor_prices: [],
    prices_taken: null,
    next_prices: null,
    prices: [{ unit: 'second', resolution: null, video_input: null, audio: null, usd: 0.04 }],
    example: { request: '5 s at 720p', cost_micros: 200_000 },
    aliases: [{ alias: 'film', organization_id: 'org_1' }],
  })
  expect(rows[6]).toMatchObject({
    endpoints: ['messages', 'responses', 'chat'],
    max_output_tokens: 32_768,
    context_tokens: 1_047_576,
    prices: [
      { unit: 'input_token', usd_per_million: 2 },
      { unit: 'cached_input_token', usd_per_million: 0.5 },
      { unit: 'output_token', usd_per_million: 8 },
    ],
  })
})
