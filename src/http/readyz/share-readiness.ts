import type { Readiness } from '../../app/check-readiness.ts'
import type { Clock } from '../../ports/clock.ts'

const KEEP_MS = 1_000

/** However many ask, the engines are asked once a second at most. */
export function shareReadiness(ask: () => Promise<Readiness>, clock: Clock): () => Promise<Readiness> {
  let latest: { answer: Promise<Readiness>; untilMs: number } | undefined
  return () => {
    if (latest !== undefined && clock.monotonicMs() < latest.untilMs) return latest.answer
    const asked = { answer: ask(), untilMs: Number.POSITIVE_INFINITY }
    latest = asked
    const settle = () => {
      asked.untilMs = clock.monotonicMs() + KEEP_MS
    }
    asked.answer.then(settle, settle)
    return asked.answer
  }
}
