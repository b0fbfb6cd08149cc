import { invalidParameter } from '../canonical/bad-parameter.ts'
import { applyPolicies } from '../canonical/field-policy.ts'
import type { LossName } from '../canonical/losses.ts'
import { readMetadata, readServiceTier, readUserId } from '../canonical/read-settings.ts'
import { hasContent, type TextRequest, type Turn } from '../canonical/request.ts'
import type { JsonObject } from '../json/json-object.ts'
import { asksForNothing, FIELD_POLICIES } from './field-policies.ts'
import { readItems } from './read-items.ts'
import { readFormat, readReasoning, readVerbosity } from './read-settings.ts'
import { readToolChoice, Toolbox } from './read-tools.ts'

/** Reads a request of this dialect. The body has passed its check, and its references are resolved. */
export function readResponsesRequest(body: JsonObject): TextRequest {
  const losses = new Set<LossName>()
  applyPolicies(body, { policies: FIELD_POLICIES, asksForNothing }, losses)
  const toolbox = new Toolbox(losses)
  if (Array.isArray(body.tools)) toolbox.add(body.tools)
  const turns = readTurns(body, { losses, toolbox })
  const { tools, choice } = readToolChoice(body.tool_choice, toolbox)
  const hasTools = tools.length > 0
  return {
    stream: body.stream === true,
    turns,
    maxOutputTokens: numberOrNothing(body.max_output_tokens),
    temperature: numberOrNothing(body.temperature),
    topP: numberOrNothing(body.top_p),
    stopSequences: [],
    tools,
    toolChoice: hasTools ? choice : undefined,
    parallelToolCalls:
      hasTools && typeof body.parallel_tool_calls === 'boolean' ? body.parallel_tool_calls : undefined,
    reasoning: readReasoning(body, losses),
    format: readFormat(body.text, losses),
    verbosity: readVerbosity(body.text),
    userId: readUserId(body),
    serviceTier: readServiceTier(body.service_tier),
    metadata: readMetadata(body.metadata, losses),
    cacheKey: typeof body.prompt_cache_key === 'string' ? body.prompt_cache_key : undefined,
    losses: [...losses],
  }
}

function readTurns(body: JsonObject, into: { losses: Set<LossName>; toolbox: Toolbox }): Turn[] {
  const turns: Turn[] = []
  if (typeof body.instructions === 'string' && body.instructions !== '') {
    turns.push({ role: 'system', parts: [{ kind: 'text', text: body.instructions }] })
  }
  const conversation: Turn[] = []
  if (typeof body.input === 'string') {
    conversation.push({ role: 'user', parts: [{ kind: 'text', text: body.input }] })
  } else if (Array.isArray(body.input)) {
    readItems(body.input, { turns: conversation, ...into })
  }
  if (!conversation.some(({ parts }) => parts.some(hasContent))) {
    throw invalidParameter(
      'input',
      'must not be empty, and must have a text, a file, a call or a tool result that this model takes',
    )
  }
  return [...turns, ...conversation]
}

function numberOrNothing(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
