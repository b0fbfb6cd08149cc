export type Parsed<Value> = { value: Value } | Wrong

export interface Wrong {
  /** Follows the value in a sentence: "is not a whole number". */
  wrong: string
  /** A whole sentence; left out, the message says what the kind takes. */
  fix?: string
}

/** What a setting may hold: how to read its text, and how to say so in words. */
export interface Kind<Value> {
  /** Completes the sentence "Use ...". */
  takes: string
  /** Faults never show the text of a secret. */
  secret: boolean
  parse(text: string): Parsed<Value>
}
