import type { Upstream } from '../../adapters/outbound/upstream.ts'
import type { Provider } from '../../adapters/providers/drivers.ts'
import type { Clock } from '../../ports/clock.ts'

/** Longest time between the choice of a provider and the call to it, with all waits of the request. */
const CHOSEN_MS_MAX = 600_000

interface OpenPart<Part> {
  part: Part
  upstream: Upstream
}

/** One open part per provider, such as its driver. */
export interface OpenParts<Part> {
  find(name: string): Part | undefined
  /** Opens parts for new providers. A provider that stays keeps its part, with breakers and connections. */
  replace(providers: readonly Provider[]): Promise<void>
  close(): Promise<void>
}

/** Opens one part per provider. A later `replace` closes the idle upstream of a removed or changed provider. */
export function openEach<Part>(
  open: (provider: Provider) => Promise<OpenPart<Part> | undefined>,
  clock: Clock,
): OpenParts<Part> {
  let opened: ReadonlyMap<Provider, OpenPart<Part> | undefined> = new Map()
  let byName: ReadonlyMap<string, Part> = new Map()
  let retired: { upstream: Upstream; atMs: number }[] = []

  async function closeRetired(): Promise<void> {
    const dueMs = clock.monotonicMs() - CHOSEN_MS_MAX
    const due = retired.filter(({ upstream, atMs }) => atMs <= dueMs && upstream.isIdle)
    retired = retired.filter((each) => !due.includes(each))
    await Promise.all(due.map(({ upstream }) => upstream.close()))
  }

  return {
    find: (name) => byName.get(name),
    async replace(providers) {
      const next = new Map<Provider, OpenPart<Part> | undefined>()
      for (const provider of providers)
        next.set(provider, opened.has(provider) ? opened.get(provider) : await open(provider))
      for (const [provider, part] of opened) {
        if (part === undefined || next.has(provider)) continue
        part.upstream.retire()
        retired.push({ upstream: part.upstream, atMs: clock.monotonicMs() })
      }
      opened = next
      const parts = [...next].flatMap(([{ name }, open]) =>
        open === undefined ? [] : ([[name, open.part]] as const),
      )
      // The first provider with a name wins.
      byName = new Map(parts.toReversed())
      await closeRetired()
    },
    async close() {
      const upstreams = [...opened.values()].flatMap((open) => open?.upstream ?? [])
      await Promise.all(
        [...upstreams, ...retired.map(({ upstream }) => upstream)].map((each) => each.close()),
      )
    },
  }
}
