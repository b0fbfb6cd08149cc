import { type Conversation, itemsIn, joinItems } from '../../../llm/responses/kept/conversation.ts'
import { memberOf } from '../../../llm/responses/kept/response-json.ts'
import { KEPT_LENGTH_MAX } from './reply-shelf.ts'

/** What was said before a reply. */
export interface Said {
  provider: string
  /** How long the items are at most, as JSON. */
  length: number
  /** The items as JSON, without the brackets of their list. */
  items(): string
}

/** The bytes that all connections together may remember, with a share for each organization. */
export interface SessionRoom {
  /** False: there is no room. */
  take(bytes: number): boolean
  give(bytes: number): void
}

/**
 * What a connection remembers: the conversation up to its last reply, whether the reply is stored or not. The next request
 * goes on from it by its id and sends only what is new.
 *
 *   empty -> asking (begin) -> remembering (end) -> asking ...
 *   remembering -> empty (take): a request that goes on from the reply and fails leaves nothing behind
 */
export class ReplySession {
  readonly #room: SessionRoom
  #asking: Said | undefined
  #last: { said: Said; end: string; length: number } | undefined

  constructor(room: SessionRoom) {
    this.#room = room
  }

  /** How much it remembers. */
  get length(): number {
    return this.#last?.length ?? 0
  }

  /** undefined: too much to be remembered. */
  begin(said: Said | undefined): void {
    this.#asking = said
  }

  /** `event` is the last one of a reply that ended well. */
  end(event: string): void {
    const said = this.#asking
    this.forget()
    if (said === undefined) return
    const length = said.length + event.length
    if (length > KEPT_LENGTH_MAX || !this.#room.take(length)) return
    this.#last = { said, end: event, length }
  }

  /**
   * The conversation up to the reply of this id, once: the next reply takes its place, and after a failed one the client
   * has to send the whole conversation, as the specification of this transport says.
   */
  take(id: string): Conversation | undefined {
    if (this.#last === undefined) return undefined
    const { said, end } = this.#last
    const response = memberOf(end, 'response') ?? '{}'
    if (memberOf(response, 'id') !== JSON.stringify(id)) return undefined
    this.forget()
    const output = itemsIn(memberOf(response, 'output') ?? '[]')
    return { provider: said.provider, items: joinItems(said.items(), output) }
  }

  forget(): void {
    if (this.#last !== undefined) this.#room.give(this.#last.length)
    this.#last = undefined
    this.#asking = undefined
  }
}
