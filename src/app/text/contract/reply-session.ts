import { type Conversation, itemsIn, joinItems } from '@sluice/dialects/responses/kept/conversation'
import { memberOf } from '@sluice/dialects/responses/kept/response-json'

/** Maximum length of a reply's response, of its events before the last one, and of its conversation, each. */
export const KEPT_LENGTH_MAX = 2 * 1024 * 1024

export interface PriorConversation {
  provider: string
  /** Maximum length of the items as JSON. */
  length: number
  /** Returns the items as JSON, without the brackets of the list. */
  items(): string
}

/** Limits the bytes that all connections together may remember, with a share for each organization. */
export interface SessionRoom {
  /** Returns false when there is no room. */
  take(bytes: number): boolean
  give(bytes: number): void
}

/**
 * Memory of a connection: the conversation up to its last reply, stored or not. The next request continues from the reply by
 * its id and sends only new items.
 *
 *   empty -> asking (begin) -> remembering (end) -> asking ...
 *   remembering -> empty (take): a request that continues from the reply and fails leaves nothing behind
 */
export class ReplySession {
  readonly #room: SessionRoom
  #asking: PriorConversation | undefined
  #last: { prior: PriorConversation; end: string; length: number } | undefined

  constructor(room: SessionRoom) {
    this.#room = room
  }

  get length(): number {
    return this.#last?.length ?? 0
  }

  /** `prior` is undefined when the request has a heavy body, whose conversation is not remembered. */
  begin(prior: PriorConversation | undefined): void {
    this.#asking = prior
  }

  /** `event` is the final event of a reply that ended well. */
  end(event: string): void {
    const prior = this.#asking
    this.forget()
    if (prior === undefined) return
    const length = prior.length + event.length
    if (length > KEPT_LENGTH_MAX || !this.#room.take(length)) return
    this.#last = { prior, end: event, length }
  }

  /**
   * Returns the conversation up to the reply of this id, once, because the next reply replaces it. After a failed reply
   * the client has to send the whole conversation, as the specification of the WebSocket transport says.
   */
  take(id: string): Conversation | undefined {
    if (this.#last === undefined) return undefined
    const { prior, end } = this.#last
    const response = memberOf(end, 'response') ?? '{}'
    if (memberOf(response, 'id') !== JSON.stringify(id)) return undefined
    this.forget()
    const output = itemsIn(memberOf(response, 'output') ?? '[]')
    return { provider: prior.provider, items: joinItems(prior.items(), output) }
  }

  forget(): void {
    if (this.#last !== undefined) this.#room.give(this.#last.length)
    this.#last = undefined
    this.#asking = undefined
  }
}
