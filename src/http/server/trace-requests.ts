import type { ServerResponse } from 'node:http'
import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { EdgeRequest, Step } from '../edge-request.ts'

export interface TraceSteps {
  /** Before all other steps. */
  begin: Step
  /** The last one: a body arrives in the context of its connection, and from here on it is the request's again. */
  resume: Step
}

/**
 * A server span for each request, as a child of the caller's `traceparent` if there is one. Only for when tracing is
 * on. Nothing of the address but the route's pattern is recorded: ids and queries belong to the client.
 */
export function traceRequests(): TraceSteps {
  const tracer = trace.getTracer('sluice')
  const contexts = new WeakMap<EdgeRequest, Context>()
  const begin: Step = (request, reply, done) => {
    const route = request.routeOptions.url
    const caller = propagation.extract(context.active(), request.headers)
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
    }
    const name = route === undefined ? request.method : `${request.method} ${route}`
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, caller)
    // However an answer ends, `close` comes last.
    reply.raw.once('close', () => endSpan(span, request, reply.raw))
    const own = trace.setSpan(caller, span)
    contexts.set(request, own)
    context.with(own, done)
  }
  const resume: Step = (request, _reply, done) => {
    context.with(contexts.get(request) ?? context.active(), done)
  }
  return { begin, resume }
}

function endSpan(span: Span, { operationId }: EdgeRequest, response: ServerResponse): void {
  if (operationId !== undefined) span.setAttribute('sluice.operation', operationId)
  if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode)
  const failed = !response.writableFinished || response.statusCode >= 500
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}
