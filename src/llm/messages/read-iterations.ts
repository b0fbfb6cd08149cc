import type { OtherModelTokens } from '../../domain/billing/surcharges.ts'
import { isJsonObject, type JsonObject } from '../../domain/json-object.ts'
import type { ReplyTokens } from '../hub/reply-event.ts'
import { longCacheWriteOf } from './read-surcharges.ts'

/**
 * A reply of several iterations: the counts beside them leave some out, so each count is the sum over the iterations, or
 * the one beside them where that is larger. What another model did stands for itself.
 */
export function sumIterations(tokens: ReplyTokens, iterations: readonly unknown[]): ReplyTokens {
  const entries = paidEntries(iterations)
  const sum = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, longCacheWrite: 0 }
  const others: OtherModelTokens[] = []
  let contextTokens = 0
  for (const entry of entries) {
    const counts = countsOf(entry)
    const model = otherModelOf(entry)
    if (model === undefined) addTo(sum, counts)
    else others.push({ model, ...counts })
    const { input, cachedInput, cacheWrite } = counts
    if (model === undefined) contextTokens = Math.max(contextTokens, input + cachedInput + cacheWrite)
  }
  // A fallback of the vendor served all of it: what stands beside the iterations repeats its counts.
  const isElsewhere = entries.some(({ type }) => type === 'fallback_message')
  const larger = (beside: number, summed: number) => (isElsewhere ? summed : Math.max(beside, summed))
  const longCacheWrite = larger(tokens.surcharges?.longCacheWrite ?? 0, sum.longCacheWrite)
  return {
    input: larger(tokens.input, sum.input),
    cachedInput: larger(tokens.cachedInput, sum.cachedInput),
    cacheWrite: larger(tokens.cacheWrite, sum.cacheWrite),
    output: larger(tokens.output, sum.output),
    reasoning: tokens.reasoning,
    surcharges: {
      ...tokens.surcharges,
      longCacheWrite,
      contextTokens,
      ...(others.length === 0 ? {} : { others }),
    },
  }
}

/** An attempt that was declined without output, before another model took over, is not paid for. */
function paidEntries(iterations: readonly unknown[]): JsonObject[] {
  const entries = iterations.filter(isJsonObject)
  if (!entries.some(({ type }) => type === 'fallback_message')) return entries
  return entries.filter(({ type, output_tokens: output }) => type !== 'message' || output !== 0)
}

const OTHERS: ReadonlySet<unknown> = new Set(['advisor_message', 'fallback_message'])

function otherModelOf({ type, model }: JsonObject): string | undefined {
  return OTHERS.has(type) && typeof model === 'string' ? model : undefined
}

function countsOf(entry: JsonObject): Omit<OtherModelTokens, 'model'> {
  return {
    input: countOf(entry.input_tokens),
    cachedInput: countOf(entry.cache_read_input_tokens),
    cacheWrite: countOf(entry.cache_creation_input_tokens),
    output: countOf(entry.output_tokens),
    longCacheWrite: longCacheWriteOf(entry),
  }
}

function addTo(sum: Omit<OtherModelTokens, 'model'>, counts: Omit<OtherModelTokens, 'model'>): void {
  sum.input += counts.input
  sum.cachedInput += counts.cachedInput
  sum.cacheWrite += counts.cacheWrite
  sum.output += counts.output
  sum.longCacheWrite += counts.longCacheWrite
}

function countOf(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0
}
