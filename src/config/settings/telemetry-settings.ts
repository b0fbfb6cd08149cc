import { httpUrl } from './kinds/http-url.ts'
import { oneOf, text } from './kinds/text.ts'

/** A part of `SETTINGS`: log lines, and the collector. */
export const TELEMETRY_SETTINGS = {
  LOG_LEVEL: {
    group: 'telemetry' as const,
    kind: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    meaning: 'Lowest level of written log lines.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'telemetry' as const,
    kind: httpUrl,
    meaning: 'OpenTelemetry collector (OTLP over HTTP) for traces. Unset: no traces.',
  },
  OTEL_SERVICE_NAME: {
    group: 'telemetry' as const,
    kind: text({ takes: 'a name' }),
    default: 'sluice',
    meaning: 'Service name of the traces.',
  },
  OTEL_METRICS_EXPORTER: {
    group: 'telemetry' as const,
    kind: oneOf(['none', 'otlp']),
    default: 'none',
    meaning: '`otlp`: the collector also receives metrics of the GenAI conventions.',
  },
}
