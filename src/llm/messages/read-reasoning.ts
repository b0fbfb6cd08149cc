import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isAbsent } from '../hub/is-absent.ts'
import type { LossName } from '../hub/losses.ts'
import { EFFORTS, type Effort, type ReasoningWish } from '../hub/text-request.ts'

/**
 * How hard the client wants the model to think: a budget, "as you see fit" (adaptive), an effort word, or some of them.
 * What is thought comes back sealed in every case, because this dialect's clients send it back.
 */
export function readReasoning(
  { thinking, output_config: config }: JsonObject,
  losses: Set<LossName>,
): ReasoningWish | undefined {
  const effort = isJsonObject(config) ? readEffort(config.effort) : undefined
  if (!isJsonObject(thinking)) {
    if (effort === undefined) return undefined
    return { effort, budgetTokens: undefined, summary: 'auto', wantsSeal: true }
  }
  if (thinking.type === 'disabled') {
    const word = effort === 'none' ? effort : undefined
    return { effort: word, budgetTokens: 0, summary: undefined, wantsSeal: false }
  }
  if (typeof thinking.type !== 'string' || !KINDS.includes(thinking.type)) {
    throw new Refusal('invalid_parameter', {
      param: 'thinking.type',
      message: `This model takes only these kinds of thinking: ${KINDS.join(', ')}, disabled.`,
    })
  }
  if (!isAbsent(thinking.display) && !DISPLAYS.includes(thinking.display)) losses.add('reasoning_summary')
  return {
    effort,
    budgetTokens: typeof thinking.budget_tokens === 'number' ? thinking.budget_tokens : undefined,
    summary: thinking.display === 'omitted' ? 'none' : 'auto',
    wantsSeal: true,
  }
}

const KINDS: readonly string[] = ['enabled', 'adaptive', 'between_tools']
const DISPLAYS: readonly unknown[] = ['summarized', 'omitted']

function readEffort(word: unknown): Effort | undefined {
  if (isAbsent(word)) return undefined
  const effort = EFFORTS.find((known) => known === word)
  if (effort !== undefined) return effort
  throw new Refusal('invalid_parameter', {
    param: 'output_config.effort',
    message: `output_config.effort must be one of ${EFFORTS.join(', ')}.`,
  })
}
