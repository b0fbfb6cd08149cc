import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/domain/api-error.ts'
import type { Area } from '../../../src/http/edge-request.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { expectError, readAnswer } from './answer.ts'
import { hot } from './echo-operations.ts'
import { KEY } from './memory-app.ts'
import { type Edge, startEdge } from './start-edge.ts'

const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
const POST = { method: 'POST', headers: HEADERS, body: '{}' }

const THROWN: Record<string, unknown> = {
  error: new Error('secret words'),
  string: 'secret words',
  nothing: undefined,
  null: null,
  number: 7,
  lookalike: Object.assign(new Error('secret words'), {
    statusCode: 404,
    status: 404,
    headers: { 'x-secret': 'yes' },
  }),
}

describe('a handler that fails', () => {
  let edge: Edge
  beforeAll(async () => {
    edge = await startEdge({
      operations: Object.keys(THROWN).flatMap((name) => [fails(name, 'throws'), fails(name, 'rejects')]),
    })
  })
  afterAll(() => edge.close())

  const PATHS = Object.keys(THROWN).flatMap((name) => [
    `/v1/messages/throws/${name}`,
    `/v1/messages/rejects/${name}`,
  ])

  test.each(PATHS)('%s is our fault, and has no details', async (path) => {
    const before = edge.lines.length
    const answer = await readAnswer(await fetch(edge.url + path, POST))
    expectError(answer, 'messages', 500)
    expect(JSON.parse(answer.body).error).toEqual({
      type: 'api_error',
      message: 'Something went wrong on our side.',
    })
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(edge.lines.slice(before).filter(({ level }) => level === 'error')).toMatchObject([
      {
        event: 'request.failed',
        fields: { requestId: answer.headers['x-request-id'], code: 'internal_error' },
      },
    ])
  })

  test('with an API error answers with that error, and only faults of our own are logged', async () => {
    const own = await startEdge({
      operations: [
        refuses('/client', new ApiError('task_not_found', { cause: new Error('why') })),
        refuses(
          '/ours',
          new ApiError('store_unavailable', { cause: new Error('why'), retryAfterSeconds: 2.5 }),
        ),
      ],
    })
    expectError(await readAnswer(await fetch(`${own.url}/client`, POST)), 'video', 404, 'task_not_found')
    const ours = await readAnswer(await fetch(`${own.url}/ours`, POST))
    expectError(ours, 'video', 503, 'store_unavailable')
    expect(ours.headers['retry-after']).toBe('3')
    await own.close()
    expect(own.lines.filter(({ level }) => level !== 'info')).toMatchObject([
      { level: 'warn', event: 'request.failed', fields: { code: 'store_unavailable', status: 503 } },
    ])
  })
})

function fails(name: string, how: 'throws' | 'rejects'): Operation {
  return operation(`/v1/messages/${how}/${name}`, 'messages', () => {
    if (how === 'throws') throw THROWN[name]
    return Promise.reject(THROWN[name])
  })
}

function refuses(path: string, apiError: ApiError): Operation {
  return operation(path, 'video', () => {
    throw apiError
  })
}

function operation(path: string, area: Area, handler: () => Promise<void>): Operation {
  return { ...hot({ path, area }, () => ''), id: path, handle: () => handler }
}
