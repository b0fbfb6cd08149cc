import type { ThinkingMode } from '../canonical/codec.ts'
import { effortOf, isSwitchedOff } from '../canonical/effort-of.ts'
import type { LossName } from '../canonical/losses.ts'
import type { Effort, ReasoningOptions, TextRequest } from '../canonical/request.ts'
import type { MessageTurn, Thinking } from './wire.ts'

export interface WrittenThinking {
  /** Left out: the client set no effort and no budget, or this request allows no thinking, which is a loss. */
  thinking?: Thinking
  effort?: Effort
}

interface ThinkingPlace {
  mode: ThinkingMode
  maxTokens: number
  messages: readonly MessageTurn[]
}

/** Writes the reasoning options in the form that the model's thinking mode takes. */
export function writeThinking(
  request: TextRequest,
  place: ThinkingPlace,
  losses: Set<LossName>,
): WrittenThinking {
  const { reasoning } = request
  if (reasoning === undefined) return {}
  const isOff = isSwitchedOff(reasoning)
  if (isOff && place.mode !== 'always') return { thinking: { type: 'disabled' } }
  if (reasoning.summary === 'concise' || reasoning.summary === 'detailed') losses.add('reasoning_summary')
  if (place.mode === 'budget') return writeBudget(request, reasoning, place, losses)
  const isExcluded = place.mode === 'adaptive' && isForced(request)
  if (isOff || isExcluded) losses.add('reasoning_effort')
  if (isExcluded) return {}
  return writeEffort(isOff ? { ...reasoning, effort: 'low' } : reasoning)
}

/** Vendors hide thinking by effort unless the request asks for a summary, so it asks unless the client wants none. */
function writeEffort(reasoning: ReasoningOptions): WrittenThinking {
  const { summary } = reasoning
  const effort = effortOf(reasoning)
  if (effort === undefined && summary === undefined) return {}
  const thinking = { type: 'adaptive', display: summary === 'none' ? 'omitted' : 'summarized' } as const
  return { thinking, effort: effort === 'minimal' ? 'low' : effort }
}

/** Budgets for the efforts of clients, for models that think by budget. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
}

const BUDGET_MIN = 1_024

/** Thinking counts towards the bound on output, so a part of it is kept for the answer. */
const SHARE_MAX = 0.8

function writeBudget(
  request: TextRequest,
  { effort, budgetTokens }: ReasoningOptions,
  { maxTokens, messages }: ThinkingPlace,
  losses: Set<LossName>,
): WrittenThinking {
  const wanted = budgetTokens ?? (effort === undefined ? undefined : BUDGETS[effort])
  if (wanted === undefined) return {}
  const budget = Math.min(Math.max(wanted, BUDGET_MIN), Math.floor(maxTokens * SHARE_MAX))
  if (budget >= BUDGET_MIN && !isForced(request) && mayBegin(messages))
    return { thinking: { type: 'enabled', budget_tokens: budget } }
  losses.add('reasoning_effort')
  return {}
}

/** Whether the model has to call a tool. */
export function isForced({ tools, toolChoice }: TextRequest): boolean {
  return tools.length > 0 && (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool')
}

/**
 * Whether thinking may begin here. This dialect refuses it in the middle of a turn: for an answer that was begun, and
 * after calls that were made without thinking that could be sent again.
 */
function mayBegin(messages: readonly MessageTurn[]): boolean {
  const [assistant, user] = messages.slice(-2)
  if (messages.at(-1)?.role === 'assistant') return false
  if (user?.content[0]?.type !== 'tool_result' || assistant?.role !== 'assistant') return true
  const first = assistant.content[0]?.type
  return first === 'thinking' || first === 'redacted_thinking'
}
