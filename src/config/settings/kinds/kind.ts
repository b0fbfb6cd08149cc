export type Parsed<Value> = { value: Value } | Wrong

export interface Wrong {
  /** Follows the value in a sentence: "is not a whole number". */
  wrong: string
  /** A whole sentence; left out: the message uses `takes`. */
  fix?: string
}

/** Kind of a setting's value: its parser and its description. */
export interface Kind<Value> {
  /** Completes the sentence "Use ...". */
  takes: string
  /** Faults never show the text of a secret. */
  secret: boolean
  parse(text: string): Parsed<Value>
}
