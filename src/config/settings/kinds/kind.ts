export type Parsed<Value> = { value: Value } | Wrong

export interface Wrong {
  /** Words that follow the value in a sentence: "is not a whole number". */
  wrong: string
  /** A whole sentence. Left out: the message uses `takes`. */
  fix?: string
}

/** Kind of a setting's value: its parser and its description. */
export interface Kind<Value> {
  /** Words that follow "Use" in a sentence. */
  takes: string
  /** Faults never show the text of a secret. */
  secret?: true
  parse(text: string): Parsed<Value>
}
