/** Items of earlier replies that a later request may refer to. */
export interface ReplyItems {
  keep(id: string, item: object): void
  find(id: string): object | undefined
}

const ITEMS_MAX = 1_000

/** The items are only in memory: unlike a vendor, the sandbox forgets them at a restart. */
export function createStoredItems(): ReplyItems {
  const items = new Map<string, object>()
  return {
    keep(id, item) {
      items.set(id, item)
      const [oldest] = items.keys()
      if (items.size > ITEMS_MAX && oldest !== undefined) items.delete(oldest)
    },
    find: (id) => items.get(id),
  }
}
