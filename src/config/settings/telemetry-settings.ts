import { httpUrl } from './kinds/http-url.ts'
import { oneOf, text } from './kinds/text.ts'

/** A part of `SETTINGS`: log lines, and the collector. */
export const TELEMETRY_SETTINGS = {
  LOG_LEVEL: {
    group: 'telemetry' as const,
    kind: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    meaning: 'The least important log lines that are written.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'telemetry' as const,
    kind: httpUrl,
    meaning: 'An OpenTelemetry collector (OTLP over HTTP) that receives traces. Unset: no traces.',
  },
  OTEL_SERVICE_NAME: {
    group: 'telemetry' as const,
    kind: text({ takes: 'a name' }),
    default: 'sluice',
    meaning: 'The name under which the traces appear.',
  },
  OTEL_METRICS_EXPORTER: {
    group: 'telemetry' as const,
    kind: oneOf(['none', 'otlp']),
    default: 'none',
    meaning:
      'With `otlp`, the collector also receives metrics by the names of the conventions for generative AI.',
  },
}
