import type { RequestTarget, WriteRequest } from '../canonical/codec.ts'
import { effortOf, reasoningFor, serviceTier } from '../canonical/effort-of.ts'
import type { LossName } from '../canonical/losses.ts'
import { hasCacheMarks, type ReasoningOptions, type TextRequest, type Turn } from '../canonical/request.ts'
import { ToolNaming } from '../tools/tool-naming.ts'
import { shortUserId } from '../values/short-user-id.ts'
import { unlessDefault } from '../values/values.ts'
import type { ResponsesRequest } from './wire.ts'
import { writeFormat, writeToolChoice, writeTools } from './write-tools.ts'
import { writeTurns } from './write-turns.ts'

/**
 * Writes a request for a vendor of this dialect. This dialect has no stop sequences: the gateway cuts the text itself.
 */
export const writeResponsesRequest: WriteRequest = (request, target) => {
  const losses = new Set<LossName>()
  if (hasCacheMarks(request.turns)) losses.add('cache_control')
  // This dialect has namespaces: tools within a namespace keep their names.
  const naming = new ToolNaming(request.tools.filter(({ namespace }) => namespace === undefined))
  const reasoning = reasoningFor(target, request.reasoning, losses)
  const nameOf = (name: string, input: 'json' | 'text') =>
    naming.nameOf({ name, namespace: undefined }, input)
  const first = request.turns.findIndex(({ role }) => role !== 'system')
  const systemTurns = first < 0 ? request.turns : request.turns.slice(0, first)
  const turns = first < 0 ? [] : request.turns.slice(first)
  const body: ResponsesRequest = {
    model: target.model,
    instructions: instructionsOf(systemTurns, losses),
    input: writeTurns(turns, { provider: target.provider, naming, losses }),
    stream: request.stream,
    store: false,
    include: reasoning?.wantsSeal === true ? ['reasoning.encrypted_content'] : undefined,
    max_output_tokens: maxOutputTokens(request, target, losses),
    temperature: unlessDefault(request.temperature),
    top_p: unlessDefault(request.topP),
    reasoning: writeReasoningOptions(reasoning),
    text: writeText(request, losses),
    safety_identifier: shortUserId(request.userId),
    service_tier: serviceTier(request.serviceTier, TIERS, losses),
    metadata: request.metadata,
    prompt_cache_key: request.cacheKey,
  }
  if (request.tools.length > 0) {
    body.tools = writeTools(request.tools, nameOf)
    if (request.toolChoice !== undefined) {
      body.tool_choice = writeToolChoice(request.toolChoice, request.tools, nameOf)
    }
    body.parallel_tool_calls = request.parallelToolCalls
  }
  return {
    body,
    losses: [...losses],
    toolNames: naming.restored,
    unsentStops: request.stopSequences,
  }
}

/** Minimum bound that vendors of this dialect take. */
const OUTPUT_TOKENS_MIN = 16

/** Limits a client's bound to the model's; where the client gave none, none is sent. */
function maxOutputTokens(
  { maxOutputTokens: wanted }: TextRequest,
  { maxOutputTokens: possible }: RequestTarget,
  losses: Set<LossName>,
): number | undefined {
  if (wanted === undefined) return undefined
  if (wanted < OUTPUT_TOKENS_MIN) losses.add('max_tokens')
  return Math.max(Math.min(wanted, possible ?? wanted), OUTPUT_TOKENS_MIN)
}

/** Joins the text of instructions; this dialect takes nothing else there. */
function instructionsOf(turns: readonly Turn[], losses: Set<LossName>): string | undefined {
  const texts: string[] = []
  for (const part of turns.flatMap(({ parts }) => parts)) {
    if (part.kind !== 'text') losses.add('unknown_block')
    else if (part.text !== '') texts.push(part.text)
  }
  return texts.join('\n\n') || undefined
}

function writeReasoningOptions(options: ReasoningOptions | undefined): ResponsesRequest['reasoning'] {
  if (options === undefined) return undefined
  const effort = effortOf(options)
  const summary = options.summary === 'none' || effort === 'none' ? undefined : options.summary
  return effort === undefined && summary === undefined ? undefined : { effort, summary }
}

function writeText({ format, verbosity }: TextRequest, losses: Set<LossName>): ResponsesRequest['text'] {
  if (format === undefined && verbosity === undefined) return undefined
  return { format: format === undefined ? undefined : writeFormat(format, losses), verbosity }
}

const TIERS: readonly string[] = ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']
