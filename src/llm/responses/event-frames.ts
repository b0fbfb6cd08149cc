import type { StreamEvents } from './wire.ts'

/** Events of a stream as text: numbered without gaps, each whole. JSON leaves no raw end of line in them. */
export class EventFrames {
  #text = ''
  #sequence = 0

  /** What came together since the last time. */
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

  /** The hot one: `before` and `after` were spelled once for the whole block. */
  delta(before: string, text: string, after: string): void {
    this.#text += `${before}${JSON.stringify(text)}${after}${this.#sequence}}\n\n`
    this.#sequence += 1
  }

  /** Parsers skip it, and connections stay open. */
  comment(): void {
    this.#text += ': keep-alive\n\n'
  }
}
