import type { ReplyTokens } from '@sluice/dialects/canonical/reply-event'
import type { TextTokens } from '@sluice/dialects/canonical/usage'
import { contextOf } from '../../../domain/billing/reserve-for-text.ts'
import type { TextPlan } from '../contract/text-plan.ts'
import type { TextRoute } from '../route/choose-route.ts'

/** Upper bounds of plausible usage, far above honest counts, because the gateway's own count is an estimate. */
export interface TokenBounds {
  /** Input up to this bound is plausible without further checks. */
  plausibleInput: number
  /** `hasIterations`: the vendor reports several iterations, or calls of its hosted tools, whose results it reads too. */
  inputMax(hasIterations: boolean): number
  /** Bound of all replies of one iteration together, without reasoning beyond the client's bound. */
  outputMax: number
  /** Whether the vendor may call hosted tools. Each call is one more iteration. */
  mayIterate(): boolean
  /** Bound of reasoning beyond `outputMax`, if the vendor reports any. */
  thoughtsMax: number
  /** Bound of all replies together, whatever the request allows, because no model writes more. */
  wordsMax: number
}

/** Tokens that a vendor may add to a request, with a wide margin. */
const OWN_TOKENS = 10_000
/** A compaction reads the request again, and tokenizers differ. */
const INPUT_MARGIN = 4
const OUTPUT_MARGIN = 2
const OUTPUT_TOKENS_MIN = 1_024
/** A request with hosted tools is read again after each call. */
const ITERATIONS_MAX = 64
const CALLS_MAX = 1_000
/** Bound for a model whose catalog row has none. */
const UNKNOWN_OUTPUT_TOKENS = 128_000

/** `outputTokens` is the bound of the request, else of the model. */
export function tokenBoundsOf(input: {
  route: TextRoute
  plan: Pick<TextPlan, 'body' | 'sentInputBound'>
  outputTokens: number | undefined
  choices: number
}): TokenBounds {
  const { route, plan, outputTokens, choices } = input
  const isAsked = outputTokens !== undefined && outputTokens !== route.maxOutputTokens
  const each = isAsked ? outputTokens : Math.max(outputTokens ?? 0, UNKNOWN_OUTPUT_TOKENS)
  const modelMax = Math.max(route.maxOutputTokens ?? 0, UNKNOWN_OUTPUT_TOKENS)
  const plausibleInput = plan.body.length + OWN_TOKENS
  return {
    plausibleInput,
    inputMax(hasIterations) {
      const { tokensMax } = plan.sentInputBound()
      const most =
        tokensMax === undefined || hasIterations
          ? ITERATIONS_MAX * contextOf(route.contextTokens)
          : INPUT_MARGIN * tokensMax + OWN_TOKENS
      return Math.max(plausibleInput, most)
    },
    mayIterate: () => plan.sentInputBound().tokensMax === undefined,
    outputMax: OUTPUT_MARGIN * choices * each + OUTPUT_TOKENS_MIN,
    thoughtsMax: modelMax,
    wordsMax: choices * modelMax,
  }
}

/** Bounds of a request that contains all of its input and gets no text back. */
export function inputBoundsOf(body: { length: number }): TokenBounds {
  const plausibleInput = body.length + OWN_TOKENS
  const inputMax = () => INPUT_MARGIN * body.length + OWN_TOKENS
  return { plausibleInput, inputMax, outputMax: 0, mayIterate: () => false, thoughtsMax: 0, wordsMax: 0 }
}

/** Returns the same object when all counts are within bounds. An output token has at least one of the `outputBytes`. */
export function clampTokens(tokens: ReplyTokens, bounds: TokenBounds, outputBytes: number): ReplyTokens {
  const { surcharges, reasoning } = tokens
  const calls = surcharges?.calls
  const others = surcharges?.others
  const thoughts = reasoning > 0 ? bounds.thoughtsMax : 0
  const usedTools = calls !== undefined || others !== undefined
  const hasIterations =
    usedTools ||
    surcharges?.contextTokens !== undefined ||
    (tokens.output > bounds.outputMax && bounds.mayIterate())
  const times = hasIterations ? ITERATIONS_MAX : 1
  const wordsMax = Math.min(outputBytes, bounds.wordsMax)
  const outputMax = Math.max(wordsMax, bounds.outputMax * times) + thoughts
  if (inputOf(tokens) <= bounds.plausibleInput && tokens.output <= outputMax && surcharges === undefined)
    return tokens
  const isPlausible = inputOf(tokens) <= bounds.plausibleInput && others === undefined
  const inputMax = isPlausible ? bounds.plausibleInput : bounds.inputMax(hasIterations)
  const own = clampOne(tokens, inputMax, outputMax)
  const fewerCalls = calls && clampCalls(calls)
  const fewerOthers = others && clampOthers(others, inputMax, outputMax)
  if (own === tokens && fewerCalls === calls && fewerOthers === others) return tokens
  const clamped = { ...own, reasoning: Math.min(reasoning, own.output) }
  if (surcharges === undefined) return clamped
  const less = { ...surcharges }
  if (fewerCalls !== undefined) less.calls = fewerCalls
  if (fewerOthers !== undefined) less.others = fewerOthers
  if (less.contextTokens !== undefined) less.contextTokens = Math.min(less.contextTokens, inputMax)
  return { ...clamped, surcharges: less }
}

function inputOf({ input, cachedInput, cacheWrite }: TextTokens): number {
  return input + cachedInput + cacheWrite
}

function clampOne<Tokens extends TextTokens>(tokens: Tokens, inputMax: number, outputMax: number): Tokens {
  const input = inputOf(tokens)
  if (input <= inputMax && tokens.output <= outputMax) return tokens
  const part = Math.min(1, inputMax / input)
  return {
    ...tokens,
    input: Math.floor(tokens.input * part),
    cachedInput: Math.floor(tokens.cachedInput * part),
    cacheWrite: Math.floor(tokens.cacheWrite * part),
    output: Math.min(tokens.output, outputMax),
  }
}

/** Keeps all other models together within the bounds. */
function clampOthers<Other extends TextTokens>(
  others: readonly Other[],
  inputMax: number,
  outputMax: number,
): readonly Other[] {
  let leftInput = inputMax
  let leftOutput = outputMax
  const clamped = others.map((other) => {
    const one = clampOne(other, leftInput, leftOutput)
    leftInput -= inputOf(one)
    leftOutput -= one.output
    return one
  })
  return clamped.every((one, at) => one === others[at]) ? others : clamped
}

function clampCalls(calls: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const counts = Object.entries(calls)
  if (counts.every(([, count]) => count <= CALLS_MAX)) return calls
  return Object.fromEntries(counts.map(([name, count]) => [name, Math.min(count, CALLS_MAX)]))
}
