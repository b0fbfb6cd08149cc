import { inGroup } from './in-group.ts'
import { httpsReceiver, httpUrl } from './kinds/http-url.ts'
import { oneOf, text, webhookSecret } from './kinds/text.ts'

export const TELEMETRY_SETTINGS = inGroup('telemetry', {
  LOG_LEVEL: {
    kind: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
    default: 'info',
    meaning: 'Lowest level of written log lines.',
  },
  LOG_FORMAT: {
    kind: oneOf(['auto', 'json', 'text']),
    default: 'auto',
    meaning:
      'Form of log lines. `auto`: short text on a terminal, without successful probes, and JSON elsewhere.',
  },
  NO_COLOR: {
    kind: text({ takes: 'any text' }),
    meaning: 'Any text: log lines on a terminal have no colours.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    kind: httpUrl,
    meaning: 'OpenTelemetry collector (OTLP over HTTP) for traces. Unset: no traces.',
  },
  OTEL_SERVICE_NAME: {
    kind: text({ takes: 'a name' }),
    default: 'sluice',
    meaning: 'Service name of the traces.',
  },
  OTEL_METRICS_EXPORTER: {
    kind: oneOf(['none', 'otlp']),
    default: 'none',
    meaning: '`otlp`: the collector also receives metrics of the GenAI conventions.',
  },
  EVENTS_URL: {
    kind: httpsReceiver,
    meaning:
      'Receiver of every event for operators (`docs/events.md`). Unset: events are only listed, in the console and by `sluice events list`.',
  },
  EVENTS_SECRET: {
    kind: webhookSecret,
    meaning: 'Secret that signs the messages to `EVENTS_URL`, and is required with it.',
  },
})
