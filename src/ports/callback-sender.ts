/** One message to a client's own server. */
export interface CallbackMessage {
  /** The same on every attempt, so that the receiver can tell a repetition. */
  id: string
  organizationId: string
  url: string
  body: string
  /** When this attempt is made; it is signed too. */
  atMs: number
  /** Each signs it: two while an old secret is still valid. */
  secrets: readonly string[]
}

export type Delivery =
  | { kind: 'answered'; status: number }
  /** No answer came. The word is short and fixed: never an address. */
  | { kind: 'failed'; word: string; mayBeRepeated: boolean }
  /** It never left the house, for want of room or because the process leaves: that is no attempt. */
  | { kind: 'not-sent' }

/** Sends it once and never rejects. */
export type SendCallback = (message: CallbackMessage, signal: AbortSignal) => Promise<Delivery>
