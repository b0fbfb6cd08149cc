import type { Provider } from '../../adapters/providers/drivers.ts'
import { subscribeToProviders } from '../../app/providers/announce-providers.ts'
import type { Cache } from '../../ports/cache.ts'
import type { Store } from '../../ports/store.ts'
import { startWorker } from '../../workers/schedule.ts'
import type { Tools } from '../tools.ts'
import type { ProviderSet, providerSets } from './provider-set.ts'

export interface LiveProviders {
  readonly current: ProviderSet
  /** Calls `opener` now, and at every change before the followers, to open parts of new providers. */
  openWith(opener: Listener): Promise<void>
  /** Calls `listener` now, and at every change after the openers. */
  follow(listener: Listener): Promise<void>
  /** Finds a provider in any state, after a look for stored changes. */
  find(name: string): Promise<Provider | undefined>
  refresh(): Promise<void>
  close(): Promise<void>
}

type Listener = (set: ProviderSet) => Promise<void> | void

/** Looks for changes every two seconds and after each message about a change. `find` and `refresh` wait for a look. */
export async function openLiveProviders(input: {
  store: Pick<Store, 'providers'>
  cache: Cache
  tools: Pick<Tools, 'log'>
  makeSet: ReturnType<typeof providerSets>
}): Promise<LiveProviders> {
  const { store, cache, tools, makeSet } = input
  const { log } = tools
  const openers: Listener[] = []
  const followers: Listener[] = []
  let version = await store.providers.version()
  let current = makeSet(await store.providers.list())
  let work = Promise.resolve()

  async function look(): Promise<void> {
    const found = await store.providers.version()
    if (found === version) return
    const next = makeSet(await store.providers.list())
    for (const listener of [...openers, ...followers]) await listener(next)
    current = next
    version = found
    log.info('providers.changed', { count: next.serving.length })
  }

  /** Applies changes one after another. */
  function refresh(): Promise<void> {
    const done = work.then(look)
    work = done.catch(() => {})
    return done
  }

  function join(listeners: Listener[], listener: Listener): Promise<void> {
    const done = work.then(async () => {
      await listener(current)
      listeners.push(listener)
    })
    work = done.catch(() => {})
    return done
  }

  const loop = startWorker('provider-watch', { run: refresh, log })
  await subscribeToProviders({ cache, log, onChange: () => refresh() })
  return {
    get current() {
      return current
    },
    openWith: (opener) => join(openers, opener),
    follow: (listener) => join(followers, listener),
    async find(name) {
      await refresh()
      return current.byName.get(name)
    },
    refresh,
    async close() {
      await loop.stop()
      await work
    },
  }
}
