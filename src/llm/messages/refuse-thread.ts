import type { JsonObject } from '../../domain/json-object.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isAbsent } from '../hub/is-absent.ts'

/**
 * A thread is the conversation as its vendor keeps it; of one that goes on, the client sends the newest turn alone.
 * Nobody else can answer that. The official client understands `details`, and sends the whole conversation instead.
 */
export function refuseThread({ thread }: JsonObject): void {
  if (isAbsent(thread) || thread === false) return
  throw new Refusal('invalid_parameter', {
    param: 'thread',
    message:
      'thread is not supported for this model: send the whole conversation in messages, without thread.',
    details: { error_code: 'thread_unsupported_request', unsupported: ['model'] },
  })
}
