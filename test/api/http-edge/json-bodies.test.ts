import { isUtf8 } from 'node:buffer'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, expectError, readAnswer } from './answer.ts'
import { ECHOES } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { sendRaw } from './raw-connection.ts'
import { type Edge, startEdge } from './start-edge.ts'

describe('a body', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ operations: ECHOES })
  })
  afterAll(() => edge.close())

  const JSON_HEADERS = { 'content-type': 'application/json' }

  const post = async (
    body: string | Buffer,
    { area = 'video', headers = JSON_HEADERS }: { area?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const path = area === 'admin' ? '/admin/echo' : `/v1/${area}/echo`
    const init = { method: 'POST', body, headers: { authorization: `Bearer ${KEY}`, ...headers } }
    return readAnswer(await fetch(edge.url + path, init))
  }

  const expectInvalid = (answer: Answer, message = 'body must be valid JSON', param: unknown = null) => {
    expectError(answer, 'video', 400)
    expect(JSON.parse(answer.body).error).toEqual({
      message,
      type: 'invalid_request_error',
      param,
      code: 'invalid_json',
    })
  }

  test.each(['{"a":[1,"ü😀"]}', ' [] ', '"text"', 'null', '0'])('%s arrives unchanged', async (body) => {
    expect(await post(body)).toMatchObject({ status: 200, body: JSON.stringify({ body: JSON.parse(body) }) })
  })

  test.each([
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON ; charset=utf8',
    'application/json; profile=x',
  ])('of the type %s is accepted', async (type) => {
    expect(await post('1', { headers: { 'content-type': type } })).toMatchObject({ status: 200 })
  })

  test('without a type is read as JSON', async () => {
    const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\n`
    const [answer] = await sendRaw(
      edge.port,
      `POST /v1/video/echo HTTP/1.1\r\n${head}Content-Length: 1\r\n\r\n7`,
    )
    expect(answer).toMatchObject({ status: 200, body: '{"body":7}' })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/vnd.api+json',
    'text/json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1; charset=utf-8',
    'nonsense',
    '',
  ])('of the type "%s" is 415', async (type) => {
    expectError(
      await post('{}', { headers: { 'content-type': type } }),
      'video',
      415,
      'unsupported_media_type',
    )
  })

  test.each(['gzip', 'br', 'identity, gzip', 'nonsense'])('in the coding %s is 415', async (coding) => {
    const answer = await post(gzipSync('{}'), { headers: { ...JSON_HEADERS, 'content-encoding': coding } })
    expectError(answer, 'video', 415)
  })

  test('in the coding identity is plain', async () => {
    const answer = await post('1', { headers: { ...JSON_HEADERS, 'content-encoding': 'Identity' } })
    expect(answer).toMatchObject({ status: 200 })
  })

  test.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['half a value', '{"a":'],
    ['two values', '{}{}'],
    ['a trailing comma', '[1,]'],
    ['a comment', '{} // x'],
    ['single quotes', "{'a':1}"],
    ['NaN', 'NaN'],
    ['a byte order mark', Buffer.from('\ufeff{}')],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['Latin-1', Buffer.from('"\xfc"', 'latin1')],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ['a raw NUL', Buffer.from('"a\0b"')],
    ['an escaped NUL in half a value', '["a\\u0000b"'],
  ])('of %s is 400', async (_name, body) => {
    // An error names a place only in a body that is UTF-8 and not empty.
    const hasPlace = body.length > 0 && isUtf8(Buffer.from(body))
    const place = hasPlace ? expect.stringMatching(/^line 1, column \d+$/) : null
    expectInvalid(await post(body), 'body must be valid JSON', place)
  })

  test.each([
    ['an escaped NUL', '"a\\u0000b"'],
    ['an escaped NUL in a key', '{"a\\u0000":1}'],
    ['a lone high surrogate', '"\\ud83d"'],
    ['a lone low surrogate', '"\\ude00"'],
    ['a surrogate pair the wrong way round', '"\\ude00\\ud83d"'],
  ])('with %s is 400 with that reason: it is JSON', async (_name, body) => {
    expectInvalid(await post(body), 'body must not contain U+0000 or lone surrogates')
  })

  test.each([
    ['an escaped NUL among 65 levels', `${'['.repeat(65)}"\\u0000"${']'.repeat(65)}`],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
    ['a mebibyte of brackets', '['.repeat(1024 * 1024)],
  ])('of %s is 400 with that reason, and is not parsed', async (_name, body) => {
    expectInvalid(await post(body), 'body must not be nested deeper than 64 levels')
  })

  test.each([
    ['numbers', `[${'0,'.repeat(8_192)}0]`],
    ['empty objects, a mebibyte of them', `[${'{},'.repeat(349_000)}0]`],
    ['members', JSON.stringify(Object.fromEntries(Array.from({ length: 8_192 }, (_, at) => [at, at])))],
    ['what is no JSON', '[,'.repeat(64) + ','.repeat(10_000)],
  ])('of more than 8,192 values, %s, is 400 with that reason', async (_name, body) => {
    expectInvalid(await post(body), 'body must not hold more than 8192 values')
    expectError(await post(body, { area: 'admin' }), 'admin', 400)
  })

  test('that is missing altogether is 400', async () => {
    const head = `Host: x\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\n`
    for (const type of ['', 'Content-Type: application/json\r\n', 'Content-Length: 0\r\n']) {
      const [answer] = await sendRaw(edge.port, `POST /v1/video/echo HTTP/1.1\r\n${head}${type}\r\n`)
      if (answer === undefined) throw new Error('no answer')
      expectInvalid(answer)
    }
  })

  test.each([
    ['64 levels', `${'['.repeat(64)}${']'.repeat(64)}`],
    ['brackets in text', JSON.stringify('['.repeat(1000))],
    ['a quote and brackets in text', JSON.stringify(`\\"${'['.repeat(1000)}\\\\`)],
    ['an escaped backslash before u0000', '"\\\\u0000"'],
    ['a surrogate pair', '"\\uD83D\\uDE00 \\ud83d\\ude00"'],
  ])('of %s is fine', async (_name, body) => {
    expect(await post(body)).toMatchObject({ status: 200, body: JSON.stringify({ body: JSON.parse(body) }) })
  })

  test('may contain characters that no store can keep, where the operation passes it on', async () => {
    for (const body of ['"a\\u0000b"', '"\\ud83d"']) {
      expect(await post(body, { area: 'messages' })).toMatchObject({ status: 200, body: `{"body":${body}}` })
    }
    expectError(await post('"a\0b"', { area: 'messages' }), 'messages', 400)
  })

  test('cannot reach a prototype', async () => {
    const answer = await post(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1,"a":2}',
    )
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body).body).toHaveProperty('a', 2)
    expect({}).not.toHaveProperty('polluted')
  })

  test('of 10 MB of brackets is refused without a parse', async () => {
    expectError(await post('['.repeat(10_000_000), { area: 'messages' }), 'messages', 400)
  })

  test('that is refused leaves the connection usable', async () => {
    const head = `Host: x\r\nAuthorization: Bearer ${KEY}\r\n`
    const bad = `POST /v1/video/echo HTTP/1.1\r\n${head}Content-Length: 1\r\n\r\n[`
    const good = `POST /v1/video/echo HTTP/1.1\r\n${head}Connection: close\r\nContent-Length: 1\r\n\r\n1`
    const answers = await sendRaw(edge.port, bad + good)
    expect(answers.map(({ status }) => status)).toEqual([400, 200])
  })

  test('is refused in the envelope of its area', async () => {
    for (const area of ['video', 'responses', 'messages', 'admin'] as const) {
      expectError(await post('[', { area }), area, 400, 'invalid_json')
    }
  })

  test('is refused with the position of its fault, and is not quoted', async () => {
    const body = '{\n  "a": "ü😀" secret\n}'
    expectInvalid(await post(body), 'body must be valid JSON', 'line 2, column 13')
    const message = 'body must be valid JSON (line 2, column 13)'
    expect((await post(body, { area: 'admin' })).body).toBe(JSON.stringify({ error: message }))
    for (const area of ['responses', 'messages'] as const) {
      const answer = await post(body, { area })
      expect(JSON.parse(answer.body)).toMatchObject({ error: { message } })
      expect(answer.body).not.toContain('secret')
    }
  })
})
