import { AsyncLocalStorage } from 'node:async_hooks'
import type { Holders } from '../../ports/holders.ts'

export function createHolders(): Holders {
  const storage = new AsyncLocalStorage<string>()
  return { run: (holder, work) => storage.run(holder, work), current: () => storage.getStore() ?? '' }
}
