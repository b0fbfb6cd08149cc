import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

export interface CallSpan {
  end(result: { status: number | undefined; failure: string | undefined }): void
}

export type StartCallSpan = typeof startCallSpan

/** Starts a client span without path and query. The vendor gets no trace header. */
export function startCallSpan(call: {
  provider: string
  operation: string
  method: string
  serverAddress: string
  model?: string
}): CallSpan {
  const span = trace.getTracer('sluice.outbound').startSpan(`${call.provider} ${call.operation}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      'http.request.method': call.method,
      'server.address': call.serverAddress,
      'sluice.provider': call.provider,
      'sluice.operation': call.operation,
      // The attributes follow OpenTelemetry's GenAI conventions; `model` is the vendor's name of the model.
      ...(call.model !== undefined && {
        'gen_ai.operation.name': call.operation.endsWith(' embed') ? 'embeddings' : 'chat',
        'gen_ai.provider.name': call.provider,
        'gen_ai.request.model': call.model,
      }),
    },
  })
  return {
    end({ status, failure }) {
      if (status !== undefined) span.setAttribute('http.response.status_code', status)
      if (failure !== undefined) span.setAttribute('error.type', failure)
      if (failure !== undefined || (status ?? 0) >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}
