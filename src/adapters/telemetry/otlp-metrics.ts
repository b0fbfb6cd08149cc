import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import { boundedLabel } from './bounded-label.ts'

export interface OtlpMetrics {
  /** Returns metrics that also send the figures of text requests and videos to the collector. */
  share(metrics: Metrics): Metrics
  /** Sends the rest, with a time limit. */
  stop(): Promise<void>
}

const EXPORT_EVERY_MS = 15_000
const EXPORT_TIMEOUT_MS = 2_000
/** Maximum number of model labels, as for Prometheus. */
const MODELS_MAX = 200
const OTHER_NAMES: Record<string, string> = { embeddings: 'embeddings', 'video.create': 'generate_content' }
/** Buckets by the conventions of OpenTelemetry. */
const TOKENS = [
  ...[1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144],
  ...[1_048_576, 4_194_304, 16_777_216, 67_108_864],
]
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** Sends metrics by OpenTelemetry's GenAI conventions as OTLP over HTTP. Loads the SDK on demand. */
export async function startOtlpMetrics(options: {
  /** Base address of the collector, to which `/v1/metrics` is added. */
  endpoint: string
  serviceName: string
  log: Log
}): Promise<OtlpMetrics> {
  const [sdk, { OTLPExporterBase }, http, wire, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/otlp-exporter-base'),
    import('@opentelemetry/otlp-exporter-base/node-http'),
    import('@opentelemetry/otlp-transformer'),
    import('@opentelemetry/resources'),
  ])
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/metrics`
  const sending = http.convertLegacyHttpOptions(
    { url, timeoutMillis: EXPORT_TIMEOUT_MS },
    'METRICS',
    'v1/metrics',
    { 'Content-Type': 'application/json' },
  )
  const exporter = new OTLPExporterBase(
    http.createOtlpHttpExportDelegate(
      sending,
      wire.JsonMetricsSerializer,
      'otlp_http_metric_exporter',
      wire.MetricsExporterMetricsHelper,
      undefined,
    ),
  )
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new sdk.MeterProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName, 'process.pid': process.pid }),
    readers: [reader],
  })
  const meter = provider.getMeter('sluice')
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: TOKENS },
  })
  const duration = meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'GenAI operation duration.',
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  })
  const cost = meter.createCounter('sluice.cost', {
    description: 'What text requests and videos were charged, in millionths of a US dollar.',
    unit: '{micro_usd}',
  })
  const bound = boundedLabel(MODELS_MAX)

  return {
    share: (metrics) => ({
      ...metrics,
      textReplyEnded(keyId, usage) {
        metrics.textReplyEnded(keyId, usage)
        const labels = labelsOf(usage, usage.askedModel, usage.model)
        const { inputTokens, cachedInputTokens, cacheWriteTokens } = usage
        const input = inputTokens + cachedInputTokens + cacheWriteTokens
        tokens.record(input, { ...labels, 'gen_ai.token.type': 'input' })
        tokens.record(usage.outputTokens, { ...labels, 'gen_ai.token.type': 'output' })
        duration.record(
          usage.durationMs / 1_000,
          usage.outcome === 'failed' ? { ...labels, 'error.type': '_OTHER' } : labels,
        )
        cost.add(usage.costMicros, labels)
      },
      textRefused(refused) {
        metrics.textRefused(refused)
        const labels = labelsOf(refused, refused.model)
        duration.record(refused.durationMs / 1_000, { ...labels, 'error.type': refused.code })
      },
      taskEnded(task) {
        metrics.taskEnded(task)
        cost.add(task.costMicros, labelsOf({ ...task, operation: 'video.create' }, task.model))
      },
    }),
    // An unreachable collector is logged, and does not fail the stop.
    stop: () =>
      provider.shutdown({ timeoutMillis: EXPORT_TIMEOUT_MS }).catch((error: unknown) => {
        options.log.warn('tracing.export_failed', { error })
      }),
  }

  function labelsOf(call: { operation: string; provider: string }, asked: string, served?: string) {
    return {
      'gen_ai.operation.name': OTHER_NAMES[call.operation] ?? 'chat',
      'gen_ai.provider.name': call.provider,
      'gen_ai.request.model': bound(asked),
      ...(served === undefined ? {} : { 'gen_ai.response.model': bound(served) }),
    }
  }
}
