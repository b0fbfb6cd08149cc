import type { OtlpMetrics } from '../adapters/telemetry/otlp-metrics.ts'
import type { Tracing } from '../adapters/telemetry/tracing.ts'
import type { Config } from './config.ts'
import type { Tools } from './tools.ts'

/** Starts the export of metrics. Tracing has set the handler that logs failures of the collector. */
export async function openOtlpMetrics(
  { telemetry }: Config,
  { log }: Tools,
): Promise<OtlpMetrics | undefined> {
  const { otlpEndpoint: endpoint, serviceName, metricsExporter } = telemetry
  if (endpoint === undefined || metricsExporter === 'none') return undefined
  const { startOtlpMetrics } = await import('../adapters/telemetry/otlp-metrics.ts')
  return startOtlpMetrics({ endpoint, serviceName, log })
}

export async function openTracing({ telemetry }: Config, { log }: Tools): Promise<Tracing | undefined> {
  if (telemetry.otlpEndpoint === undefined) return undefined
  const { startTracing } = await import('../adapters/telemetry/tracing.ts')
  return startTracing({ endpoint: telemetry.otlpEndpoint, serviceName: telemetry.serviceName, log })
}
