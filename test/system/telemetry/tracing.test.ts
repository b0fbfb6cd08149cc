import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { context, propagation, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTracing, type Tracing } from '../../../src/adapters/telemetry/tracing.ts'
import { ApiError } from '../../../src/domain/api-error.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { json } from '../../../src/domain/json/json-schema.ts'
import type { Operation } from '../../../src/http/operation.ts'
import { traceRequests } from '../../../src/http/server/trace-requests.ts'
import type { Log } from '../../../src/ports/log.ts'
import { type Edge, startEdge } from '../../api/http-edge/start-edge.ts'
import { type OtlpReceiver, startOtlpReceiver } from './otlp-receiver.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const CALLER_SPAN_ID = 'b7ad6b7169203331'
const SERVER_KIND = 2
const ERROR_STATUS = 2
/** A port that no test is ever given. */
const NO_COLLECTOR = 'http://127.0.0.1:1'

let receiver: OtlpReceiver
let tracing: Tracing
let edge: Edge
let hungUp: PromiseWithResolvers<void>
let bodyAwaited: PromiseWithResolvers<void>

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function operation(row: Pick<Operation, 'path' | 'handle'> & Partial<Operation>): Operation {
  return {
    ...{ id: 'getTask', method: 'GET', area: 'video', access: 'open', summary: 'For the test', replies: {} },
    ...row,
  }
}

const TABLE: readonly Operation[] = [
  operation({
    path: '/v1/tasks/:id',
    handle: () => async (request) => {
      const headers: Record<string, string> = {}
      await Promise.resolve()
      propagation.inject(context.active(), headers)
      return { id: request.id, passedOn: headers.traceparent }
    },
  }),
  operation({
    method: 'POST',
    path: '/v1/tasks',
    body: {
      schema: json.anything(),
      limitBytes: 1_024,
      isWanted() {
        bodyAwaited.resolve()
        return true
      },
    },
    handle: () => async () => {
      const child = trace.getTracer('test').startSpan('work inside')
      await Promise.resolve()
      child.end()
      return {}
    },
  }),
  ...(['messages', 'embeddings'] as const).map((of) =>
    operation({
      path: `/v1/text/${of}`,
      handle: () => async (request) => {
        request.textUsage = {
          operation: of,
          ...{ model: 'b/served', askedModel: 'a/asked', provider: 'b', outcome: 'completed' },
          ...{ inputTokens: 10, cachedInputTokens: 5, cacheWriteTokens: 2, outputTokens: 7 },
          ...{ costMicros: micros(13), firstByteMs: 1, durationMs: 2 },
        }
        return {}
      },
    }),
  ),
  operation({
    path: '/v1/refused',
    handle: () => async () => {
      throw new ApiError('upstream_busy')
    },
  }),
  operation({
    path: '/v1/silent',
    handle: () => (_request, reply) => {
      reply.raw.once('close', hungUp.resolve)
      reply.writeHead()
      reply.write('.')
    },
  }),
  operation({
    path: '/v1/broken',
    handle: () => async () => {
      throw new Error('CANARY')
    },
  }),
]

beforeEach(async () => {
  receiver = await startOtlpReceiver()
  tracing = await startTracing({ endpoint: `${receiver.endpoint}/`, serviceName: 'sluice-test', log: silent })
  hungUp = Promise.withResolvers()
  bodyAwaited = Promise.withResolvers()
  edge = await startEdge({ operations: TABLE, traceRequests })
})

afterEach(async () => {
  await edge.close()
  await tracing.stop()
  await receiver.close()
})

function call(path: string, options: { headers?: Record<string, string> } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const request = httpRequest(`${edge.url}${path}`, options)
  request.on('error', reject)
  request.on('response', async (response) => {
    let body = ''
    for await (const chunk of response) body += chunk
    resolve(body)
  })
  request.end()
  return promise
}

/** A request that was logged has ended, and stopping the tracing sends what is left. */
async function spansAfterStop() {
  await expect.poll(() => edge.requests).toHaveLength(1)
  await tracing.stop()
  return receiver.spans
}

describe('a traced request', () => {
  it('makes a server span with method, route, operation and status', async () => {
    await call('/v1/tasks/secret-task?cursor=CANARY')
    const [span, ...others] = await spansAfterStop()
    expect(others).toEqual([])
    expect(span).toMatchObject({ name: 'GET /v1/tasks/:id', kind: SERVER_KIND, statusCode: 0 })
    expect(span?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/v1/tasks/:id',
      'http.response.status_code': 200,
      'sluice.operation': 'getTask',
    })
    expect(receiver.resource).toMatchObject({ 'service.name': 'sluice-test' })
    expect(receiver.bodies.join()).not.toMatch(/CANARY|secret-task/)
  })

  it('names the models, tokens and cost of a text reply as the GenAI conventions do', async () => {
    await call('/v1/text/messages')
    const [span] = await spansAfterStop()
    expect(span?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'b',
      'gen_ai.request.model': 'a/asked',
      'gen_ai.response.model': 'b/served',
      'gen_ai.usage.input_tokens': 17,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 5,
      'gen_ai.usage.cache_creation.input_tokens': 2,
      'sluice.cost_micros': 13,
    })
  })

  it('names embeddings as the GenAI conventions do', async () => {
    await call('/v1/text/embeddings')
    const [span] = await spansAfterStop()
    expect(span?.attributes).toMatchObject({ 'gen_ai.operation.name': 'embeddings' })
  })

  it('names the error code of a refusal', async () => {
    await call('/v1/refused')
    const [span] = await spansAfterStop()
    expect(span).toMatchObject({ statusCode: 0, attributes: { 'error.type': 'upstream_busy' } })
  })

  it('continues the trace of the caller and passes it on', async () => {
    const traceparent = `00-${TRACE_ID}-${CALLER_SPAN_ID}-01`
    const answer: unknown = JSON.parse(await call('/v1/tasks/1', { headers: { traceparent } }))
    const [span] = await spansAfterStop()
    expect(span).toMatchObject({ traceId: TRACE_ID, parentSpanId: CALLER_SPAN_ID })
    expect(answer).toMatchObject({ passedOn: `00-${TRACE_ID}-${span?.spanId}-01` })
  })

  it('starts its own trace when the header is invalid', async () => {
    await call('/v1/tasks/1', { headers: { traceparent: '00-zz-CANARY-01' } })
    const [span] = await spansAfterStop()
    expect(span?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(span?.parentSpanId).toBeUndefined()
  })

  it('makes no span for a caller who did not sample', async () => {
    const traceparent = `00-${TRACE_ID}-${CALLER_SPAN_ID}-00`
    await call('/v1/tasks/1', { headers: { traceparent } })
    expect(await spansAfterStop()).toEqual([])
  })

  it('is the parent of spans of the handler, also after waiting for a body', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': '2' }
    const request = httpRequest(`${edge.url}/v1/tasks`, { method: 'POST', headers })
    request.flushHeaders()
    await bodyAwaited.promise
    request.end('{}')
    const [response] = await once(request, 'response')
    response.resume()
    const spans = await spansAfterStop()
    const outer = spans.find(({ kind }) => kind === SERVER_KIND)
    const inner = spans.find(({ name }) => name === 'work inside')
    expect(outer?.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(inner).toMatchObject({ traceId: outer?.traceId, parentSpanId: outer?.spanId })
  })

  it('marks a failure of ours as an error, without its text', async () => {
    await call('/v1/broken')
    const [span] = await spansAfterStop()
    expect(span).toMatchObject({ statusCode: ERROR_STATUS, attributes: { 'http.response.status_code': 500 } })
    expect(receiver.bodies.join()).not.toContain('CANARY')
  })

  it('ends its span when the client hangs up', async () => {
    const request = httpRequest(`${edge.url}/v1/silent`, () => request.destroy())
    request.on('error', () => {}).end()
    await hungUp.promise
    const [span] = await spansAfterStop()
    expect(span).toMatchObject({ name: 'GET /v1/silent', statusCode: ERROR_STATUS })
  })

  it('names an unknown path by its method alone', async () => {
    await call('/CANARY')
    const [span] = await spansAfterStop()
    expect(span).toMatchObject({ name: 'GET', attributes: { 'http.response.status_code': 404 } })
    expect(receiver.bodies.join()).not.toContain('CANARY')
  })
})

describe('tracing whose collector is unreachable', () => {
  it('stops anyway, and logs it', async () => {
    await tracing.stop()
    const troubles: unknown[] = []
    const log: Log = { ...silent, warn: (_event, fields) => void troubles.push(fields?.error) }
    tracing = await startTracing({ endpoint: NO_COLLECTOR, serviceName: 'sluice-test', log })
    trace.getTracer('test').startSpan('lost').end()
    await tracing.stop()
    expect(troubles).toMatchObject([{ code: 'ECONNREFUSED' }])
  })
})
