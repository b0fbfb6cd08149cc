/** Values by id. The oldest are forgotten, and all of them at a restart. */
export interface Remembered<Value> {
  set(id: string, value: Value): void
  get(id: string): Value | undefined
  delete(id: string): void
  /** The ids, newest first. */
  ids(): string[]
}

export function createRemembered<Value>({ idsMax }: { idsMax: number }): Remembered<Value> {
  const values = new Map<string, Value>()
  return {
    set(id, value) {
      values.delete(id)
      values.set(id, value)
      const [oldest] = values.keys()
      if (values.size > idsMax && oldest !== undefined) values.delete(oldest)
    },
    get: (id) => values.get(id),
    delete: (id) => void values.delete(id),
    ids: () => [...values.keys()].toReversed(),
  }
}
