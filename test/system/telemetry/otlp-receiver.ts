import { createServer } from 'node:http'

export interface ReceivedSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  kind: number
  attributes: Record<string, unknown>
  statusCode: number
}

/** One series of a metric in the last batch: a histogram's count and sum, or a counter's value. */
export interface ReceivedPoint {
  name: string
  unit: string
  attributes: Record<string, unknown>
  count?: number
  sum?: number
  explicitBounds?: number[]
  asInt?: number
  asDouble?: number
}

export interface OtlpReceiver {
  endpoint: string
  spans: ReceivedSpan[]
  points: ReceivedPoint[]
  /** The resource attributes of the last batch. */
  resource: Record<string, unknown>
  bodies: string[]
  close(): Promise<void>
}

/** A collector for tests: takes OTLP over HTTP as JSON and keeps what it got. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const receiver: Omit<OtlpReceiver, 'endpoint' | 'close'> = {
    ...{ spans: [], points: [], resource: {}, bodies: [] },
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    receiver.bodies.push(body)
    if (request.url === '/v1/traces') take(JSON.parse(body))
    if (request.url === '/v1/metrics') takeMetrics(JSON.parse(body))
    response.setHeader('content-type', 'application/json').end('{}')
  })
  const take = (batch: Batch) => {
    for (const { resource, scopeSpans } of batch.resourceSpans) {
      receiver.resource = plain(resource.attributes)
      for (const span of scopeSpans.flatMap((scope) => scope.spans)) {
        const { attributes, status, ...rest } = span
        receiver.spans.push({ ...rest, attributes: plain(attributes), statusCode: status?.code ?? 0 })
      }
    }
  }
  /** Sums go on from batch to batch, so that the last one has all. */
  const takeMetrics = ({ resourceMetrics }: MetricBatch) => {
    receiver.points.length = 0
    for (const { resource, scopeMetrics } of resourceMetrics) {
      receiver.resource = plain(resource.attributes)
      for (const { name, unit, histogram, sum } of scopeMetrics.flatMap((scope) => scope.metrics))
        for (const { attributes, ...point } of (histogram ?? sum)?.dataPoints ?? [])
          receiver.points.push({ name, unit, ...point, attributes: plain(attributes) })
    }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    ...receiver,
    get resource() {
      return receiver.resource
    },
    endpoint: `http://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number }
}

interface Batch {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes' | 'statusCode'> & {
        attributes: Attribute[]
        status?: { code?: number }
      })[]
    }[]
  }[]
}

type Points = {
  dataPoints: (Omit<ReceivedPoint, 'name' | 'unit' | 'attributes'> & { attributes: Attribute[] })[]
}

interface MetricBatch {
  resourceMetrics: {
    resource: { attributes: Attribute[] }
    scopeMetrics: { metrics: { name: string; unit: string; histogram?: Points; sum?: Points }[] }[]
  }[]
}

function plain(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))
}
