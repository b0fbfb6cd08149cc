import { describe, expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { EDGE } from '../../../../test/video/prepare.ts'
import { parseCreateTask } from './parse-create-task.ts'

const FAMILY_B = 'vendorB/gen-v4-std'
const VALID = { model: 'vendorA/gen-2.0', content: [{ type: 'text', text: 'a cat' }] }

const parse = (body: unknown) =>
  parseCreateTask(body, Buffer.from(JSON.stringify(body) ?? ''), {
    ...EDGE,
    isAllowedUrl: (url) => !url.includes('private'),
  })
const parseWith = (more: object) => parse({ ...VALID, ...more })
const refused = (body: unknown) => apiErrorOf(() => parse(body))

test('a minimal body', () => {
  expect(parse(VALID)).toEqual({
    model: 'vendorA/gen-2.0',
    items: [{ kind: 'text', text: 'a cat', role: undefined, index: 0 }],
    taskType: undefined,
    durationSeconds: undefined,
    ratio: undefined,
    resolution: undefined,
    seed: undefined,
    framesPerSecond: undefined,
    generateAudio: undefined,
    draft: undefined,
    serviceTier: undefined,
    callbackUrl: undefined,
    executionExpiresAfterSeconds: undefined,
    metadata: '{}',
  })
})

test.each([[null], [[]], ['text'], [7], [true], [undefined]])('400 for a body of %j', (body) => {
  expect(refused(body)).toMatchObject({ status: 400, code: 'invalid_parameter', param: null })
})

test.each([
  [undefined, 'missing_parameter'],
  [null, 'missing_parameter'],
  ['', 'missing_parameter'],
  [' \t', 'missing_parameter'],
  [7, 'invalid_parameter'],
  [['vendorA/gen-2.0'], 'invalid_parameter'],
])('400 for a model of %j', (model, code) => {
  expect(refused({ ...VALID, model })).toMatchObject({ status: 400, code, param: 'model' })
})

test('an unknown model is not an error of the parser', () => {
  expect(parseWith({ model: 'vendorX/else' }).model).toBe('vendorX/else')
})

test('unsupported top-level fields are ignored', () => {
  const more = { prompt: 'a dog', n: 4, __proto__: { duration: 2 }, constructor: 1, fps: 'x' }
  expect(parseWith(more)).toEqual(parse(VALID))
})

describe.each([
  ['duration', 'durationSeconds', [4, 5, 86_400], [3, 0, -4, 4.5, 86_401, 1e300]],
  ['seed', 'seed', [0, -1, 2 ** 53 - 1], [0.5, 2 ** 53, 1e300]],
  ['framespersecond', 'framesPerSecond', [24, 60], [23.976, 1e300]],
  [
    'execution_expires_after',
    'executionExpiresAfterSeconds',
    [1, 172_800, 2_592_000],
    [0, -1, 1.5, 2_592_001, 1e300],
  ],
] as const)('%s', (param, field, right, wrong) => {
  test.each(right)('%s is accepted unchanged', (value) => {
    expect(parseWith({ [param]: value })[field]).toBe(value)
  })

  test.each([...wrong, Number.POSITIVE_INFINITY, '5', true, [5], {}, ''])('400 for %j', (value) => {
    const apiError = refused({ ...VALID, [param]: value })
    expect(apiError).toMatchObject({ status: 400, code: 'invalid_parameter', param })
    expect(apiError.message).toContain(param)
  })

  test('null counts as not given', () => {
    expect(parseWith({ [param]: null })[field]).toBeUndefined()
  })
})

test.each(['16:9', '9:16', '1:1'])('a ratio of %s is accepted, without its blanks', (ratio) => {
  expect(parseWith({ ratio: `\t${ratio} ` }).ratio).toBe(ratio)
})

test.each([['4:3'], ['16/9'], ['16 : 9'], ['adaptive'], [''], ['  '], [169], [['16:9']], [false]])(
  '400 for a ratio of %j',
  (ratio) => {
    expect(refused({ ...VALID, ratio })).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
      param: 'ratio',
    })
  },
)

test('a ratio of null counts as not given', () => {
  expect(parseWith({ ratio: null }).ratio).toBeUndefined()
})

describe.each([
  ['resolution', 'resolution'],
  ['service_tier', 'serviceTier'],
  ['task_type', 'taskType'],
] as const)('%s', (param, field) => {
  test('any string is accepted, without its blanks', () => {
    expect(parseWith({ model: FAMILY_B, [param]: ' whatever \n' })[field]).toBe('whatever')
  })

  test.each([[''], ['  '], [null]])('%j counts as not given', (value) => {
    expect(parseWith({ model: FAMILY_B, [param]: value })[field]).toBeUndefined()
  })

  test.each([[720], [true], [{}], [['720p']], ['x'.repeat(129)]])('400 for %j', (value) => {
    expect(refused({ ...VALID, model: FAMILY_B, [param]: value })).toMatchObject({
      code: 'invalid_parameter',
      param,
    })
  })
})

test.each([['reference'], ['x'.repeat(129)], [720], [true], [{}]])(
  'family A ignores a task_type of %j',
  (task_type) => {
    expect(parseWith({ task_type })).toEqual(parse(VALID))
  },
)

describe.each([
  ['generate_audio', 'generateAudio'],
  ['draft', 'draft'],
] as const)('%s', (param, field) => {
  test('true and false are accepted, null counts as not given', () => {
    expect(parseWith({ [param]: true })[field]).toBe(true)
    expect(parseWith({ [param]: false })[field]).toBe(false)
    expect(parseWith({ [param]: null })[field]).toBeUndefined()
  })

  test.each([['true'], [1], [0], [''], [{}], [[]]])('400 for %j', (value) => {
    expect(refused({ ...VALID, [param]: value })).toMatchObject({ code: 'invalid_parameter', param })
  })
})

describe('metadata', () => {
  test.each([[{}], [{ order: 7, nested: { list: [null] } }], [JSON.parse('{"__proto__":{"a":1}}')]])(
    '%j is kept as it is',
    (metadata) => {
      expect(parseWith({ metadata }).metadata).toBe(JSON.stringify(metadata))
    },
  )

  test('null counts as not given, which is an empty object', () => {
    expect(parseWith({ metadata: null }).metadata).toBe('{}')
  })

  test.each([[[]], [[{}]], ['{}'], [1], [false], ['']])('400 for %j', (metadata) => {
    expect(refused({ ...VALID, metadata })).toMatchObject({ code: 'invalid_parameter', param: 'metadata' })
  })

  test('is kept as it was sent; of two members the last counts', () => {
    const sent = '{ "n": 1.10, "long":12345678901234567890,"name": "Zo\\u00eb ë" }'
    const body = `{"model":"vendorA/gen-2.0","metadata":{"a":1},"content":[{"type":"text","text":"{"}],"meta\\u0064ata" : ${sent} }`
    const request = parseCreateTask(JSON.parse(body), Buffer.from(body), EDGE)
    expect(request.metadata).toBe(sent)
  })

  test('has at most 16,384 bytes as sent, blanks too', () => {
    const textOf = (bytes: number) => `{"é":"${'x'.repeat(bytes - 9)}"}`
    expect(Buffer.byteLength(textOf(16_384))).toBe(16_384)
    expect(parseWith({ metadata: JSON.parse(textOf(16_384)) }).metadata).toHaveLength(16_383)
    const apiError = refused({ ...VALID, metadata: JSON.parse(textOf(16_385)) })
    expect(apiError).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'metadata' })
    const blank = `{"model":"vendorA/gen-2.0","content":[{"type":"text","text":"a"}],"metadata":{${' '.repeat(16_383)}}}`
    expect(apiErrorOf(() => parseCreateTask(JSON.parse(blank), Buffer.from(blank), EDGE))).toMatchObject({
      param: 'metadata',
    })
  })

  test('has at most 256 members, counted over all levels', () => {
    const metadata = { list: Array.from({ length: 127 }, () => ({ a: 1 })), last: 1 }
    expect(parseWith({ metadata }).metadata).toBe(JSON.stringify(metadata))
    expect(refused({ ...VALID, metadata: { ...metadata, more: null } })).toMatchObject({
      code: 'invalid_parameter',
      param: 'metadata',
    })
  })
})

describe('callback_url', () => {
  test('an HTTPS URL is kept, blanks trimmed', () => {
    const callback_url = 'https://client.example:8443/done?task=1'
    expect(parseWith({ callback_url: ` ${callback_url} ` }).callbackUrl).toBe(callback_url)
  })

  test('null counts as not given', () => {
    expect(parseWith({ callback_url: null }).callbackUrl).toBeUndefined()
  })

  test.each([
    ['http://client.example/done'],
    ['asset://callback'],
    ['client.example/done'],
    ['https://'],
    [''],
    ['  '],
    [7],
    [{ url: 'https://client.example' }],
    ['https://user:pass@client.example/'],
    ['https://user@client.example/'],
    ['https://:pass@client.example/'],
    ['https://private.example/'],
    ['https://010.8.8.8/'],
    ['https://８.8.8.8/'],
    ['https://0x8080808/'],
  ])('400 for %j', (callback_url) => {
    const apiError = refused({ ...VALID, callback_url })
    expect(apiError).toMatchObject({ status: 400, code: 'invalid_parameter', param: 'callback_url' })
  })
})
