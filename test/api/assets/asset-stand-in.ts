import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { vendorAAssets } from '../../../src/adapters/providers/vendor-a-assets/driver.ts'
import type { AssetDriver } from '../../../src/ports/asset-driver.ts'
import {
  startUpstreamScenario,
  type UpstreamScenario,
} from '../../system/faults/harness/upstream-scenario.ts'
import { type Account, verifySignature } from './verify-signature.ts'

export const ACCOUNT: Account = {
  accessKey: 'canary-access-key',
  secretKey: 'canary-secret-key',
  region: 'region-1',
  service: 'assets',
}

type Options = Parameters<typeof vendorAAssets>[0]

/** An asset service with scripted answers, which checks every signature and records the requests. */
export interface AssetStandIn {
  readonly scenario: UpstreamScenario
  readonly bodies: unknown[]
  /** Faults of the signatures. */
  readonly faults: string[]
  answer(status: number, body: unknown, headers?: Record<string, string>): void
  open(changes?: Partial<Options>): AssetDriver
}

export const PATH = '/plane/?Action='

export async function startAssetStandIn(): Promise<AssetStandIn> {
  const scenario = await startUpstreamScenario()
  const endpoint = `http://127.0.0.1:${scenario.proxy.port}/plane`
  const bodies: unknown[] = []
  const faults: string[] = []

  async function take(request: IncomingMessage): Promise<void> {
    const body = await buffer(request)
    faults.push(...(await verifySignature(request, body, ACCOUNT)))
    bodies.push(JSON.parse(body.toString()))
  }

  return {
    scenario,
    bodies,
    faults,
    answer(status, body, headers = {}) {
      scenario.answer = async (request, response) => {
        await take(request)
        response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
      }
    },
    open(changes = {}) {
      return vendorAAssets({
        upstream: changes.upstream ?? scenario.open({ baseUrl: endpoint }),
        endpoint,
        accessKey: () => ACCOUNT.accessKey,
        secretKey: () => ACCOUNT.secretKey,
        region: ACCOUNT.region,
        service: ACCOUNT.service,
        project: 'project-1',
        tokenField: 'VerifyToken',
        clock: { nowMs: () => Date.UTC(2026, 0, 2, 3, 4, 5, 678), monotonicMs: () => 0 },
        ...changes,
      })
    },
  }
}
