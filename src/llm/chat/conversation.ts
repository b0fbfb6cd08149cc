import type { ChatMessage } from './wire.ts'

interface Saying {
  message: ChatMessage
  answers: ChatMessage[]
}

/**
 * Messages in their order, but for one rule of this wire: what a tool answered stands directly behind the message that
 * called it, whatever was said in between.
 */
export class Conversation {
  readonly #sayings: Saying[] = []
  readonly #unanswered = new Map<string, Saying>()

  say(message: ChatMessage, { callIds = [] }: { callIds?: readonly string[] } = {}): void {
    const saying = { message, answers: [] }
    this.#sayings.push(saying)
    for (const callId of callIds) this.#unanswered.set(callId, saying)
  }

  /** An answer to an unknown call stays where it is: the vendor may judge it. */
  answer(callId: string, message: ChatMessage): void {
    const saying = this.#unanswered.get(callId)
    this.#unanswered.delete(callId)
    if (saying === undefined) this.say(message)
    else saying.answers.push(message)
  }

  get messages(): ChatMessage[] {
    return this.#sayings.flatMap(({ message, answers }) => [message, ...answers])
  }
}
