import type { Upstream } from '../adapters/outbound/upstream.ts'
import type { FindVendor, Vendor } from '../app/video/vendors.ts'
import type { Config } from '../config/config.ts'
import type { Provider, VendorAProvider, VendorBProvider } from '../config/providers/provider.ts'
import { FAMILY_PROVIDERS } from '../domain/video/families/families.ts'
import { composeOutside } from './outside.ts'
import type { Tools } from './tools.ts'

export interface Vendors {
  find: FindVendor
  names: readonly string[]
  close(): Promise<void>
}

/** A driver on a way out of its own for every configured provider that makes videos. */
export async function composeVendors({
  config,
  providers,
  tools,
}: {
  config: Config
  providers: readonly Provider[]
  tools: Tools
}): Promise<Vendors> {
  const { openProvider } = await composeOutside(config, tools)
  const vendors = new Map<string, Vendor>()
  const opened: Upstream[] = []
  for (const provider of providers) {
    if (provider.driver === 'text') continue
    const upstream = openProvider({ name: provider.name, baseUrl: provider.baseUrl })
    opened.push(upstream)
    vendors.set(provider.name, { name: provider.name, ...(await driveWith(provider, upstream)) })
  }
  return {
    find: (name) => vendors.get(name),
    // Tasks whose provider nobody configures any longer still end at their deadline.
    names: [...new Set([...vendors.keys(), ...FAMILY_PROVIDERS])],
    close: async () => void (await Promise.all(opened.map((upstream) => upstream.close()))),
  }
}

type VideoProvider = VendorAProvider | VendorBProvider

/** Loaded when a provider asks for it: a start does not pay for a driver that nobody configured. */
const DRIVERS: {
  [Name in VideoProvider['driver']]: (
    provider: Extract<VideoProvider, { driver: Name }>,
    way: { upstream: Upstream; apiKey: () => string },
  ) => Promise<Omit<Vendor, 'name'>>
} = {
  'vendor-a': async (provider, way) => {
    const { vendorADriver } = await import('../adapters/providers/vendor-a/driver.ts')
    return { driver: vendorADriver({ ...way, models: provider.models }), ...timesOf(provider) }
  },
  'vendor-b': async (provider, way) => {
    const { vendorBDriver } = await import('../adapters/providers/vendor-b/driver.ts')
    return { driver: vendorBDriver(way), ...timesOf(provider) }
  },
}

function timesOf({ executionExpiresAfterSeconds, executionExpiresMinSeconds }: VideoProvider) {
  return { expiresAfterSeconds: executionExpiresAfterSeconds, expiresMinSeconds: executionExpiresMinSeconds }
}

function driveWith<Name extends VideoProvider['driver']>(
  provider: Extract<VideoProvider, { driver: Name }> & { driver: Name },
  upstream: Upstream,
): Promise<Omit<Vendor, 'name'>> {
  return DRIVERS[provider.driver](provider, { upstream, apiKey: () => provider.apiKey.reveal() })
}
