/** Measurements of each model. They estimate replies without reported usage, and let routes choose the fastest target. */
export interface ModelRates {
  note(model: string, reply: { outputTokens: number; reasoningTokens: number; durationMs: number }): void
  tokensPerSecond(model: string): number
  /** Notes the time from the request to the first byte of its reply; a whole reply begins when it is finished. */
  noteFirstByte(model: string, isStream: boolean, firstByteMs: number): void
  /** Counts a failure as a slow reply, because a model that fails immediately would look fast. */
  noteFailure(model: string, isStream: boolean): void
  /** Returns the moving average in this process; undefined: no request was measured yet. */
  firstByteMs(model: string, isStream: boolean): number | undefined
  /** Whether a reply was ever counted with reasoning; undefined: none was counted yet. */
  reasons(model: string): boolean | undefined
}

const USUAL_RATE = 60
/** The rate of a short reply depends more on the network than on the model; a cached reply has no meaningful rate. */
const TOKENS_MIN = 100
const RATE_MAX = 1_000
/** Lower bound, so that a client that reads slowly or pauses the vendor does not make reasoning cheap for all. */
const RATE_MIN = 20
const FAILURE_MS = 30_000
/** Weight of the newest reply in the average. */
const NEWEST = 0.1
/** Maximum remembered models. Only a catalog with more models, or one that changes very often, reaches it. */
const MODELS_MAX = 1_000

export function createModelRates(): ModelRates {
  const rates = new Map<string, number>()
  const reasons = new Map<string, boolean>()
  const streams = new Map<string, number>()
  const wholes = new Map<string, number>()
  const averagesOf = (isStream: boolean) => (isStream ? streams : wholes)
  return {
    note(model, { outputTokens, reasoningTokens, durationMs }) {
      noteReasoning(model, reasoningTokens > 0)
      if (outputTokens < TOKENS_MIN || durationMs <= 0) return
      const rate = Math.min(RATE_MAX, Math.max(RATE_MIN, (outputTokens * 1_000) / durationMs))
      average(rates, model, rate)
    },
    noteFirstByte: (model, isStream, firstByteMs) => average(averagesOf(isStream), model, firstByteMs),
    noteFailure: (model, isStream) => average(averagesOf(isStream), model, FAILURE_MS),
    firstByteMs: (model, isStream) => averagesOf(isStream).get(model),
    tokensPerSecond: (model) => rates.get(model) ?? USUAL_RATE,
    reasons: (model) => reasons.get(model),
  }

  /** One reply with reasoning is enough, because a client may ask for little reasoning first and for much later. */
  function noteReasoning(model: string, isSeen: boolean): void {
    const known = reasons.get(model)
    if (known === true || known === isSeen) return
    if (known === undefined && reasons.size >= MODELS_MAX) reasons.clear()
    reasons.set(model, isSeen)
  }
}

function average(averages: Map<string, number>, model: string, newest: number): void {
  const known = averages.get(model)
  if (known === undefined && averages.size >= MODELS_MAX) averages.clear()
  averages.set(model, known === undefined ? newest : known + NEWEST * (newest - known))
}
