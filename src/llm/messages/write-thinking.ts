import { isSwitchedOff } from '../hub/effort-of.ts'
import type { LossName } from '../hub/losses.ts'
import type { Effort, TextRequest } from '../hub/text-request.ts'
import type { WireMessage } from './write-turns.ts'

/** How many tokens of thinking an effort is worth. */
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

/** Thinking counts towards the bound on output, so a part of that is kept for the answer. */
const SHARE_MAX = 0.8

type Thinking = { type: 'disabled' } | { type: 'enabled'; budget_tokens: number }

/** undefined: the client said nothing of it, or it cannot be had here; the latter is declared. */
export function writeThinking(
  { reasoning, toolChoice, tools }: TextRequest,
  { maxTokens, messages }: { maxTokens: number; messages: readonly WireMessage[] },
  losses: Set<LossName>,
): Thinking | undefined {
  if (reasoning === undefined) return undefined
  const { effort, budgetTokens, summary } = reasoning
  if (isSwitchedOff(reasoning)) return { type: 'disabled' }
  if (summary === 'concise' || summary === 'detailed') losses.add('reasoning_summary')
  const wanted = budgetTokens ?? (effort === undefined ? undefined : BUDGETS[effort])
  if (wanted === undefined) return undefined
  const budget = Math.min(Math.max(wanted, BUDGET_MIN), Math.floor(maxTokens * SHARE_MAX))
  const isForced = tools.length > 0 && (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool')
  if (budget < BUDGET_MIN || isForced || isAmidCalls(messages)) {
    losses.add('reasoning_effort')
    return undefined
  }
  return { type: 'enabled', budget_tokens: budget }
}

/**
 * The last calls were made without thinking that could be shown again, and now their results are there: this wire
 * refuses to begin thinking before the turn is over.
 */
function isAmidCalls(messages: readonly WireMessage[]): boolean {
  const [assistant, user] = messages.slice(-2)
  if (user?.content[0]?.type !== 'tool_result' || assistant?.role !== 'assistant') return false
  const first = assistant.content[0]?.type
  return first !== 'thinking' && first !== 'redacted_thinking'
}
