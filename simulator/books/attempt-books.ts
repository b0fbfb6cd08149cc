import type { Snapshot, VendorMeasures } from '../../src/domain/video/snapshot.ts'
import { Violation } from './violation.ts'

/** The vendor's record of one video, by which the books check the gateway. */
export interface VideoRecord {
  ticket: string
  /** Text that identifies the order. */
  tag: string
  provider: string
  status: Snapshot['status']
  /** Wall clock at the vendor's success; undefined before. */
  succeededAtMs: number | undefined
  measured: VendorMeasures
  /** The vendor does not know the video any more. */
  isDeleted: boolean
  /** Reason of a failure; also of a video that succeeded later nevertheless. */
  errorCode: string | undefined
  /** A replica has read the failure. */
  isFailureRead: boolean
  noticeToken: string | undefined
}

/** The vendor's record of one create call. */
export interface Sent {
  tag: string
  /** Model with its provider. */
  model: string
  answer: 'taken' | 'lost' | 'refused for the order' | 'refused for its own reasons'
  /** A replica has the answer. */
  isReceived: boolean
  /** The video that the vendor makes, also of a call whose answer was lost or wrong. */
  record: VideoRecord | undefined
  /** The store knows that this call had no result. */
  isGivenUp: boolean
}

/** Codes about the order: no other vendor would make it either. */
const ORDER_AT_FAULT: readonly (string | undefined)[] = [
  'content_policy_violation',
  'invalid_parameter',
  'task_expired',
]

/**
 * Checks which vendor may be called for a video, by the earlier calls. A further call is allowed only when a replica
 * knows that no earlier call had a result.
 */
export class AttemptBooks {
  readonly #sent = new Map<string, Sent[]>()

  /** A create call arrives at its vendor. */
  arrived(next: Sent): void {
    const before = this.#sent.get(next.tag) ?? []
    for (const earlier of before) this.#requireOver(earlier, next)
    this.#requireOwnReason(before, next)
    this.#sent.set(next.tag, [...before, next])
  }

  /** The task has moved to another attempt, or has ended without a ticket. */
  givenUp(tag: string): void {
    for (const sent of this.#sent.get(tag) ?? []) sent.isGivenUp = true
  }

  /**
   * The video that counts for this order. A denial counts only once it is stored: if the replica crashes before, the
   * answer is lost, and a notice may still adopt the vendor's video.
   */
  recordOf(tag: string): VideoRecord | undefined {
    return this.#sent
      .get(tag)
      ?.findLast(({ answer, record, isGivenUp }) => record !== undefined && !(isRefusal(answer) && isGivenUp))
      ?.record
  }

  #requireOver({ tag, model, answer, isReceived, record }: Sent, next: Sent): void {
    if (isRefusal(answer) && isReceived) return
    // A failure that a replica has read counts, even if the video succeeded afterwards.
    if (record?.isFailureRead === true) {
      if (ORDER_AT_FAULT.includes(record.errorCode))
        throw new Violation(
          'handed-over-for-nothing',
          `${model} failed ${tag} with ${record.errorCode}, and ${next.model} was sent it`,
        )
      return
    }
    if (answer === 'taken' && isReceived)
      throw new Violation('submitted-twice', `${next.model} was sent ${tag}, which ${model} had taken`)
    throw new Violation(
      'attempt-after-unresolved',
      `${next.model} was sent ${tag}, and what ${model} had answered is not known`,
    )
  }

  /** No stand-in gets an order that the asked model refused for the order itself. A retry may ask that model again. */
  #requireOwnReason(before: readonly Sent[], next: Sent): void {
    const [asked, last] = [before[0], before.at(-1)]
    if (last?.answer !== 'refused for the order' || last.model !== asked?.model) return
    if (next.model !== asked.model)
      throw new Violation(
        'handed-over-for-nothing',
        `${last.model} refused the order ${next.tag}, and ${next.model} was sent it`,
      )
  }
}

function isRefusal(answer: Sent['answer']): boolean {
  return answer.startsWith('refused')
}
