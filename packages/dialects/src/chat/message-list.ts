import type { ChatMessage } from './wire.ts'

interface MessageEntry {
  message: ChatMessage
  answers: ChatMessage[]
}

/**
 * Messages in order, with one exception: this dialect requires the answer of a tool directly after the message with its
 * call.
 */
export class MessageList {
  readonly #entries: MessageEntry[] = []
  readonly #unanswered = new Map<string, MessageEntry>()

  add(message: ChatMessage, { callIds = [] }: { callIds?: readonly string[] } = {}): void {
    const entry = { message, answers: [] }
    this.#entries.push(entry)
    for (const callId of callIds) this.#unanswered.set(callId, entry)
  }

  /** An answer to an unknown call stays at its position: the vendor may refuse it. */
  answer(callId: string, message: ChatMessage): void {
    const entry = this.#unanswered.get(callId)
    this.#unanswered.delete(callId)
    if (entry === undefined) this.add(message)
    else entry.answers.push(message)
  }

  get messages(): ChatMessage[] {
    return this.#entries.flatMap(({ message, answers }) => [message, ...answers])
  }
}
