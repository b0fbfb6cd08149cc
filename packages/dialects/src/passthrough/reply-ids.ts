/** Kinds of ids of a reply that a later request may name. */
export interface IdsToCollect {
  /** The reply's own id: the vendor keeps its state. */
  reply: boolean
  /** The ids of items with all their content: the vendor stores them. */
  items: boolean
  /** Files that code made at the vendor. */
  files: boolean
}

export interface IdCollector extends IdsToCollect {
  /** Takes the ids that were found. */
  keep(ids: readonly string[]): void
}

/** Longer values are not ids; a client could not send them back anyway. */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= 512
}
