import type { JsonObject } from '../../json/json-object.ts'
import { EventFrames } from '../event-frames.ts'
import { queuedResponse } from '../kept/keeping.ts'

const NO_USAGE = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
}

/** The events of a response without output: a later request continues from its id. */
export function warmUpEvents(
  body: JsonObject,
  { id, createdAtSeconds }: { id: string; createdAtSeconds: number },
): string {
  const queued = queuedResponse(body, { id, previousId: undefined, createdAtSeconds })
  const begun = { ...queued, status: 'in_progress', background: false, store: body.store === true }
  const ended = { ...begun, status: 'completed', completed_at: createdAtSeconds, usage: NO_USAGE }
  const frames = new EventFrames()
  frames.spelled('response.created', `"response":${JSON.stringify(begun)}`)
  frames.spelled('response.completed', `"response":${JSON.stringify(ended)}`)
  return frames.flush()
}
