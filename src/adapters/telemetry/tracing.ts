import type { Log } from '../../ports/log.ts'

export interface Tracing {
  /** Sends the rest, with a time limit, and disables tracing. */
  stop(): Promise<void>
}

const EXPORT_EVERY_MS = 2_000
const EXPORT_TIMEOUT_MS = 2_000
/** Longer than an export, so that its failure still reaches the log. */
const STOP_TIMEOUT_MS = 3_000

/**
 * Enables OpenTelemetry spans, which are sent in batches as OTLP over HTTP. Loads the SDK, which a process
 * without tracing does not need. Other code uses only the OpenTelemetry API, which does nothing until then.
 */
export async function startTracing(options: {
  /** Base address of the collector, to which `/v1/traces` is added. */
  endpoint: string
  serviceName: string
  log: Log
}): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, core, { resourceFromAttributes }, own] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('./async-context.ts'),
  ])

  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName, 'process.pid': process.pid }),
    spanLimits: { attributeValueLengthLimit: 200 },
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  })

  // An unreachable collector is logged, and fails no request.
  const logFailure = (error: unknown) => options.log.warn('tracing.export_failed', { error })
  core.setGlobalErrorHandler(logFailure)
  api.context.setGlobalContextManager(own.createAsyncContext())
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  api.trace.setGlobalTracerProvider(provider)

  return {
    async stop() {
      await withinTimeout(provider.shutdown().catch(logFailure))
      for (const part of [api.trace, api.propagation, api.context]) part.disable()
    },
  }
}

async function withinTimeout(work: Promise<void>): Promise<void> {
  const done = Promise.withResolvers<void>()
  const timer = setTimeout(done.resolve, STOP_TIMEOUT_MS)
  void work.then(done.resolve)
  await done.promise
  clearTimeout(timer)
}
