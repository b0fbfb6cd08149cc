import { afterEach, beforeEach, expect, test } from 'vitest'
import { startOtlpMetrics } from '../../../src/adapters/telemetry/otlp-metrics.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { TextFigures } from '../../../src/ports/usage.ts'
import { silentMetrics } from '../../silent-metrics.ts'
import { openTextWorld } from '../faults/text-world.ts'
import { type OtlpReceiver, startOtlpReceiver } from './otlp-receiver.ts'

const USAGE: TextFigures = {
  operation: 'messages',
  ...{ model: 'b/served', askedModel: 'a/asked', provider: 'b', outcome: 'completed' as const },
  ...{ inputTokens: 10, cachedInputTokens: 5, cacheWriteTokens: 2, outputTokens: 7 },
  ...{ costMicros: micros(13), firstByteMs: 100, durationMs: 2_000 },
}
const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'b' }
const EMBEDDINGS = { ...CHAT, 'gen_ai.operation.name': 'embeddings' }
const SERVED = { ...CHAT, 'gen_ai.request.model': 'a/asked', 'gen_ai.response.model': 'b/served' }

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }

let receiver: OtlpReceiver
beforeEach(async () => {
  receiver = await startOtlpReceiver()
})
afterEach(() => receiver.close())

const open = (log = silent) =>
  startOtlpMetrics({ endpoint: `${receiver.endpoint}/`, serviceName: 'sluice-test', log })

test('a text reply is counted under the names of the conventions, and also under our own', async () => {
  const own: unknown[] = []
  const otlp = await open()
  const metrics = otlp.share(silentMetrics({ textReplyEnded: (keyId) => void own.push(keyId) }))
  metrics.textReplyEnded('key_1', USAGE)
  metrics.textReplyEnded('key_2', { ...USAGE, outcome: 'failed' })
  await otlp.stop()
  expect(own).toEqual(['key_1', 'key_2'])
  expect(receiver.resource).toMatchObject({ 'service.name': 'sluice-test' })
  expect(receiver.points).toMatchObject([
    {
      ...{ name: 'gen_ai.client.token.usage', unit: '{token}', count: 2, sum: 34 },
      attributes: { ...SERVED, 'gen_ai.token.type': 'input' },
      explicitBounds: expect.arrayContaining([1, 67_108_864]),
    },
    {
      ...{ name: 'gen_ai.client.token.usage', count: 2, sum: 14 },
      attributes: { ...SERVED, 'gen_ai.token.type': 'output' },
    },
    {
      ...{ name: 'gen_ai.client.operation.duration', unit: 's', count: 1, sum: 2 },
      attributes: SERVED,
      explicitBounds: expect.arrayContaining([0.01, 81.92]),
    },
    {
      ...{ name: 'gen_ai.client.operation.duration', count: 1 },
      attributes: { ...SERVED, 'error.type': '_OTHER' },
    },
    { name: 'sluice.cost', unit: '{micro_usd}', attributes: SERVED },
  ])
  expect(receiver.points.at(-1)).toHaveProperty('asDouble', 26)
})

test('a vendor error has its code, and a video its charge of 600,000 micros', async () => {
  const otlp = await open()
  const metrics = otlp.share(silentMetrics())
  metrics.textRefused({
    operation: 'embeddings',
    model: 'a/asked',
    provider: 'b',
    code: 'upstream_busy',
    durationMs: 500,
  })
  metrics.taskEnded({
    ...{ model: 'b/video', provider: 'b', status: 'succeeded', costMicros: micros(600_000) },
  })
  await otlp.stop()
  expect(receiver.points).toMatchObject([
    {
      ...{ name: 'gen_ai.client.operation.duration', count: 1, sum: 0.5 },
      attributes: { ...EMBEDDINGS, 'gen_ai.request.model': 'a/asked', 'error.type': 'upstream_busy' },
    },
    {
      name: 'sluice.cost',
      attributes: { 'gen_ai.operation.name': 'generate_content', 'gen_ai.request.model': 'b/video' },
      asDouble: 600_000,
    },
  ])
})

test('embeddings are counted as embeddings', async () => {
  const otlp = await open()
  otlp.share(silentMetrics()).textReplyEnded('key_1', { ...USAGE, operation: 'embeddings' })
  await otlp.stop()
  for (const { attributes } of receiver.points) expect(attributes).toMatchObject(EMBEDDINGS)
})

test('models after the first 200 are counted together', async () => {
  const otlp = await open()
  const metrics = otlp.share(silentMetrics())
  for (let index = 0; index < 300; index += 1)
    metrics.textRefused({
      operation: 'chat',
      model: `a/${index}`,
      provider: 'b',
      code: 'upstream_busy',
      durationMs: 1,
    })
  await otlp.stop()
  expect(receiver.points).toHaveLength(201)
  expect(receiver.points.at(-1)).toMatchObject({
    count: 100,
    attributes: { 'gen_ai.request.model': 'other' },
  })
})

test('a gateway exports both with OTEL_METRICS_EXPORTER=otlp, and its vendor call has gen_ai attributes', async () => {
  const world = await openTextWorld({
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
    OTEL_METRICS_EXPORTER: 'otlp',
  })
  try {
    expect(await world.open(0, '[count 3]').ended).toMatchObject({ status: 200 })
    await world.usage(1)
    await world.gateway.stop()
  } finally {
    await world.close()
  }
  const provider = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'vendorD' }
  expect(receiver.points.map(({ name }) => name)).toEqual([
    'gen_ai.client.token.usage',
    'gen_ai.client.token.usage',
    'gen_ai.client.operation.duration',
    'sluice.cost',
  ])
  expect(receiver.points[0]?.attributes).toMatchObject({
    ...provider,
    'gen_ai.request.model': 'vendorD/text-large',
  })
  const call = receiver.spans.find(({ name }) => name === 'vendorD messages create')
  expect(call?.attributes).toMatchObject({ ...provider, 'gen_ai.request.model': 'text-large' })
})
