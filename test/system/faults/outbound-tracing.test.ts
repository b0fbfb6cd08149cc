import type { IncomingHttpHeaders } from 'node:http'
import { context, propagation, ROOT_CONTEXT } from '@opentelemetry/api'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startCallSpan } from '../../../src/adapters/outbound/call-span.ts'
import { createGuardedClient } from '../../../src/adapters/outbound/guarded-client.ts'
import { startTracing, type Tracing } from '../../../src/adapters/telemetry/tracing.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../telemetry/otlp-receiver.ts'
import { startTlsTarget, trustTestAuthority } from './harness/tls-target.ts'
import { startUpstreamScenario, type UpstreamScenario, WHOLE } from './harness/upstream-scenario.ts'

const CLIENT_KIND = 3
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const ERROR_STATUS = 2

let scenario: UpstreamScenario
let receiver: OtlpReceiver
let tracing: Tracing

beforeEach(async () => {
  scenario = await startUpstreamScenario()
  receiver = await startOtlpReceiver()
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  tracing = await startTracing({ endpoint: receiver.endpoint, serviceName: 'sluice-test', log })
})
afterEach(async () => {
  await scenario.close()
  await tracing.stop()
  await receiver.close()
})

it.each([
  ['messages create', 'chat'],
  ['chat embed', 'embeddings'],
])('the span of %s has the operation name %s', async (operation, name) => {
  scenario.answer = (_request, response) => void response.end()
  const upstream = scenario.open({ startSpan: startCallSpan })
  await upstream.request({ ...WHOLE, operation, model: 'm', path: '/' })
  await tracing.stop()
  expect(receiver.spans[0]?.attributes).toMatchObject({ 'gen_ai.operation.name': name })
})

it("an upstream call is a client span in the client's trace, of which the vendor learns nothing", async () => {
  let headers: IncomingHttpHeaders = {}
  scenario.answer = (request, response) => {
    headers = request.headers
    response.end()
  }
  const upstream = scenario.open({ startSpan: startCallSpan })
  const client = propagation.extract(ROOT_CONTEXT, {
    traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
    tracestate: 'client=1',
    baggage: 'user=1',
  })
  await context.with(client, () =>
    upstream.request({ ...WHOLE, path: '/tasks/canary', query: { token: 'canary' } }),
  )
  await tracing.stop()
  const [span, ...others] = receiver.spans
  expect(others).toEqual([])
  expect(span).toMatchObject({
    name: 'vendorX try',
    traceId: TRACE_ID,
    kind: CLIENT_KIND,
    statusCode: 0,
    attributes: {
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'sluice.provider': 'vendorX',
    },
  })
  for (const name of ['traceparent', 'tracestate', 'baggage']) expect(headers).not.toHaveProperty(name)
  expect(receiver.bodies.join()).not.toContain('canary')
})

it('a failed upstream call is an error span with the kind of failure', async () => {
  await scenario.proxy.setMode({ kind: 'refuse' })
  await scenario
    .open({ startSpan: startCallSpan })
    .request(WHOLE)
    .catch(() => {})
  await tracing.stop()
  expect(receiver.spans).toMatchObject([
    { kind: CLIENT_KIND, statusCode: ERROR_STATUS, attributes: { 'error.type': 'refused' } },
  ])
})

it('a guarded call is a client span too, of which the stranger learns nothing', async () => {
  const distrust = trustTestAuthority()
  let headers: IncomingHttpHeaders = {}
  const target = await startTlsTarget((request, response) => {
    headers = request.headers
    response.end()
  })
  try {
    const client = createGuardedClient({
      ...{
        allow: ['127.0.0.0/8'],
        connections: 1,
        queueLimit: 1,
        queueWaitMs: 1_000,
        connectTimeoutMs: 5_000,
      },
      ...{ metrics: scenario.metrics, startSpan: startCallSpan, resolve: async () => ['127.0.0.1'] },
    })
    const url = `https://callback.test:${target.port}/canary?token=canary`
    const call = {
      holder: 'org_1',
      method: 'GET',
      headers: {},
      totalTimeoutMs: 10_000,
      maxBytes: 100,
    } as const
    await client.send({ ...call, operation: 'callback', url })
    await client.send({ ...call, operation: 'media', url: 'canary' }).catch(() => {})
  } finally {
    await target.close()
    distrust()
  }
  await tracing.stop()
  expect(receiver.spans).toMatchObject([
    { name: 'guarded callback', kind: CLIENT_KIND, attributes: { 'http.response.status_code': 200 } },
    { name: 'guarded media', statusCode: ERROR_STATUS, attributes: { 'error.type': 'forbidden' } },
  ])
  expect(headers).not.toHaveProperty('traceparent')
  expect(receiver.bodies.join()).not.toContain('canary')
})
