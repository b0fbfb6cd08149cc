import type { FaultRule } from '../../../sandbox/faults/fault.ts'
import type { LoggedRequest } from '../../../sandbox/request-log.ts'
import { startSandbox } from '../../../sandbox/server.ts'
import { createUpstream, type Upstream } from '../../../src/adapters/outbound/upstream.ts'
import { vendorADriver } from '../../../src/adapters/providers/vendor-a/driver.ts'
import { vendorAAssets } from '../../../src/adapters/providers/vendor-a-assets/driver.ts'
import { vendorBDriver } from '../../../src/adapters/providers/vendor-b/driver.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { AssetVendor } from '../../../src/app/assets/asset-vendor.ts'
import { type FindVendor, makesModels, type Vendor } from '../../../src/app/video/vendors.ts'
import { SILENT_LOG } from '../../engines/store/silent-log.ts'
import { SILENT_METRICS } from '../../silent-metrics.ts'

/** The sandbox with the real drivers in front of it. */
export interface SandboxVendors {
  findVendor: FindVendor
  /** Removes the model from vendorA's configuration. */
  unmap(model: string): void
  assetVendor: AssetVendor
  /** Address of the sandbox. */
  url: string
  /** Makes requests fail until `clearFaults`. */
  breakDown(rule: Omit<FaultRule, 'id'>): Promise<void>
  clearFaults(): Promise<void>
  /** Requests that arrived, such as `vendor-a create`, oldest first. */
  requests(): Promise<string[]>
  close(): Promise<void>
}

/** The sandbox runs this many times as fast as a vendor. */
export const SPEED = 60

export async function openSandboxVendors({
  nowMs,
  without = [],
  expiresAfterSeconds,
  expiresMinSeconds,
}: {
  nowMs: () => number
  /** Providers that are not configured. */
  without?: readonly string[]
  expiresAfterSeconds?: number | undefined
  expiresMinSeconds?: number | undefined
}): Promise<SandboxVendors> {
  const sandbox = await startSandbox({ port: 0, speed: SPEED, nowMs })
  const opened: Upstream[] = []
  const open = (name: string, path: string) => {
    const upstream = createUpstream({
      name,
      baseUrl: `${sandbox.url}${path}`,
      connections: 16,
      queueLimit: 1_000,
      queueWaitMs: 10_000,
      connectTimeoutMs: 5_000,
      firstByteTimeoutMs: 10_000,
      idleTimeoutMs: 10_000,
      metrics: SILENT_METRICS,
      clock: systemClock,
      log: SILENT_LOG,
    })
    opened.push(upstream)
    return upstream
  }
  const apiKey = () => 'any'
  const models = new Map([
    ['gen-2.0', 'up-2.0'],
    ['gen-2.0-fast', 'up-2.0-fast'],
  ])
  const vendors: Vendor[] = [
    {
      name: 'vendorA',
      driver: vendorADriver({ upstream: open('vendorA', '/vendor-a/api/v3'), apiKey, models }),
      makes: makesModels({ family: 'a', models }),
      expiresAfterSeconds,
      expiresMinSeconds,
    },
    {
      name: 'vendorB',
      driver: vendorBDriver({ upstream: open('vendorB', '/vendor-b'), apiKey }),
      makes: makesModels({ family: 'b', models: undefined }),
      expiresAfterSeconds: undefined,
      expiresMinSeconds,
    },
  ]
  const assetDriver = vendorAAssets({
    upstream: open('vendorA assets', '/vendor-a-assets'),
    endpoint: `${sandbox.url}/vendor-a-assets`,
    accessKey: () => 'any',
    secretKey: () => 'sandbox-secret',
    region: 'region-1',
    service: 'assets',
    project: 'default',
    tokenField: 'VerifyToken',
    clock: { nowMs, monotonicMs: systemClock.monotonicMs },
  })
  const control = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
    const answer = await fetch(`${sandbox.url}/_sandbox/${path}`, init)
    if (!answer.ok) throw new Error(`the sandbox refused: ${await answer.text()}`)
    return answer.json()
  }
  return {
    url: sandbox.url,
    assetVendor: { provider: 'vendorA', driver: assetDriver, canDelete: true },
    findVendor: (provider) => vendors.find(({ name }) => name === provider && !without.includes(name)),
    unmap: (model) => void models.delete(model),
    breakDown: async (rule) => void (await control('POST', 'faults', rule)),
    clearFaults: async () => void (await control('DELETE', 'faults')),
    async requests() {
      const { data } = Object(await control('GET', 'requests'))
      return data.map(({ part, operation }: LoggedRequest) => `${part} ${operation}`).reverse()
    },
    async close() {
      for (const upstream of opened) await upstream.close()
      await sandbox.close()
    },
  }
}
