import type { EndReason, StreamError } from '../canonical/reply-event.ts'

export type Finish =
  /** `sequence` is the stop sequence that ended the reply, from vendors that tell. */
  | { kind: 'well'; sequence?: string }
  | { kind: 'cut'; reason: EndReason }
  | { kind: 'failed'; failure: StreamError }

/**
 * Reads a `finish_reason`. Some vendors pass on the value of the engine behind them, in capitals and with a detail after
 * a colon. An unknown value still ends the reply well.
 */
export function readFinish(reason: string, sequence?: unknown): Finish {
  const spelled = reason.toLowerCase()
  return NOT_GOOD.find(({ pattern }) => pattern.test(spelled))?.finish ?? wellAt(sequence)
}

/** Some vendors send the number of a token as `sequence` when the model itself ended the reply. */
function wellAt(sequence: unknown): Finish {
  return typeof sequence === 'string' && sequence !== '' ? { kind: 'well', sequence } : WELL
}

const WELL: Finish = { kind: 'well' }

const NOT_GOOD: readonly { pattern: RegExp; finish: Finish }[] = [
  {
    pattern: /overloaded|capacity|^insufficient_system_resource\b/,
    finish: failed({ kind: 'busy', message: 'The provider ran out of room for this reply.' }),
  },
  {
    pattern: /malformed|^(?:error|\w+_error|abort(?:ed)?|cancell?ed|timeout|function_call_filter)\s*(?::|$)/,
    finish: failed({ kind: 'vendor', message: 'The provider ended the reply with an error.' }),
  },
  {
    pattern:
      /^(?:length|max_(?:output_)?tokens|model_length|(?:model_)?context_(?:window|length)_exceeded)\s*(?::|$)/,
    finish: { kind: 'cut', reason: { kind: 'length' } },
  },
  {
    pattern: /^(?:content_filter|sensitive|safety|prohibited_content|recitation|blocklist|spii)\s*(?::|$)/,
    finish: { kind: 'cut', reason: { kind: 'content-filter' } },
  },
]

function failed(failure: StreamError): Finish {
  return { kind: 'failed', failure }
}
