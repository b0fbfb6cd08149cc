import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { TextFigures } from '../../ports/usage.ts'
import type { EdgeRequest } from '../edge-request.ts'
import type { RawReply } from '../raw.ts'
import type { Step } from '../step.ts'
import { afterSettlement } from './after-settlement.ts'
import { CLIENT_CLOSED_REQUEST, rawStatusOf } from './raw-answers.ts'

export interface TraceSteps {
  begin: Step
  /** Last step. A body arrives in the context of its connection; this step restores the context of the request. */
  resume: Step
}

/** Starts a span for each request, a child of the caller's. Ids and queries belong to the client and are left out. */
export function traceRequests(): TraceSteps {
  const tracer = trace.getTracer('sluice')
  const contexts = new WeakMap<EdgeRequest, Context>()
  const begin: Step = (request, reply, done) => {
    const route = request.route.path
    // A request may begin in the context of an earlier request on its connection, so the extraction starts at the root.
    const caller = propagation.extract(ROOT_CONTEXT, request.headers)
    const attributes = { 'http.request.method': request.method, 'http.route': route }
    const name = route === undefined ? request.method : `${request.method} ${route}`
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, caller)
    // `close` is the last event of every response.
    reply.raw.once('close', () => afterSettlement(request, () => endSpan(span, request, reply.raw)))
    const own = trace.setSpan(caller, span)
    contexts.set(request, own)
    context.with(own, done)
  }
  const resume: Step = (request, _reply, done) => {
    context.with(contexts.get(request) ?? context.active(), done)
  }
  return { begin, resume }
}

function endSpan(span: Span, request: EdgeRequest, response: RawReply): void {
  const { operationId, errorCode, textUsage } = request
  if (errorCode !== undefined) span.setAttribute('error.type', errorCode)
  if (textUsage !== undefined) span.setAttributes(genAiAttributes(textUsage))
  if (operationId !== undefined) span.setAttribute('sluice.operation', operationId)
  const status = response.headersSent ? response.statusCode : rawStatusOf(response)
  if (status !== undefined) span.setAttribute('http.response.status_code', status)
  const isCut = response.headersSent && !response.writableFinished
  const failed = isCut || status === undefined || status === CLIENT_CLOSED_REQUEST || status >= 500
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** Uses the names of OpenTelemetry's conventions for generative AI, whose input includes tokens of caches. */
function genAiAttributes(usage: TextFigures): Attributes {
  const { inputTokens, cachedInputTokens, cacheWriteTokens } = usage
  return {
    'gen_ai.operation.name': usage.operation === 'embeddings' ? 'embeddings' : 'chat',
    'gen_ai.provider.name': usage.provider,
    'gen_ai.request.model': usage.askedModel,
    'gen_ai.response.model': usage.model,
    'gen_ai.usage.input_tokens': inputTokens + cachedInputTokens + cacheWriteTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens,
    'sluice.cost_micros': usage.costMicros,
  }
}
