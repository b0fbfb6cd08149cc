import type { StreamEvents } from './wire.ts'

/** Buffers events of a stream as text, numbered without gaps. JSON leaves no raw line end in them. */
export class EventFrames {
  #text = ''
  #sequence = 0

  /** Returns the events since the last flush. */
  flush(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  event<Type extends keyof StreamEvents>(type: Type, fields: StreamEvents[Type]): void {
    this.spelled(type, JSON.stringify(fields).slice(1, -1))
  }

  /** `fields` is JSON without its braces. */
  spelled(type: string, fields: string): void {
    this.#text += `event: ${type}\ndata: {"type":"${type}",${fields},"sequence_number":${this.#sequence}}\n\n`
    this.#sequence += 1
  }

  /** Adds a delta, the most frequent event: `before` and `after` were built once for the whole block. */
  delta(before: string, text: string, after: string): void {
    this.#text += `${before}${JSON.stringify(text)}${after}${this.#sequence}}\n\n`
    this.#sequence += 1
  }

  /** Adds a comment, which parsers skip and which keeps connections open. */
  comment(): void {
    this.#text += ': keep-alive\n\n'
  }
}
