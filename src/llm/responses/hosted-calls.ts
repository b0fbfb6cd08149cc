import type { ReplyTokens } from '../canonical/reply-event.ts'

const UNITS: ReadonlyMap<string, string> = new Map([
  ['response.web_search_call.completed', 'web_search_call'],
  ['response.file_search_call.completed', 'file_search_call'],
  ['response.image_generation_call.completed', 'image_generation_call'],
  ['response.code_interpreter_call.completed', 'code_session'],
])

/** Whether an event of this name says that the vendor used a tool that costs something. */
export function isHostedCall(name: string): boolean {
  return UNITS.has(name)
}

/** Hosted tools that were used in a stream which has not said its usage yet. */
export class HostedCalls {
  readonly #items = new Set<unknown>()
  readonly #counts: Record<string, number> = {}

  add(name: string, itemId: unknown): void {
    const unit = UNITS.get(name)
    if (unit === undefined || this.#items.has(itemId)) return
    this.#items.add(itemId)
    // All calls may share one session.
    this.#counts[unit] = unit === 'code_session' ? 1 : (this.#counts[unit] ?? 0) + 1
  }

  /** Nothing is counted yet but the calls. */
  get tokens(): ReplyTokens {
    const surcharges = { calls: this.#counts }
    return { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0, surcharges }
  }
}
