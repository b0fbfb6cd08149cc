/** Which ids of a reply a later request may name. */
export interface IdsAsked {
  /** The reply's own id: the vendor keeps what it belongs to. */
  reply: boolean
  /** The ids of items that say all they mean: the vendor stores them. */
  items: boolean
  /** Files that code made at the vendor's. */
  files: boolean
}

export interface IdListening extends IdsAsked {
  /** Takes the ids that were found. */
  keep(ids: readonly string[]): void
}

/** Longer ones are no ids; a client that was given one could not send it back anyway. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= 512
}
