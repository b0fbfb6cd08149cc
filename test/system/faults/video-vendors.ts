import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultRule } from '../../../sandbox/faults/fault.ts'
import type { SandboxPart, SandboxRoute } from '../../../sandbox/part.ts'
import { PARTS } from '../../../sandbox/parts.ts'
import { startSandbox } from '../../../sandbox/server.ts'
import { CANARY } from '../../random/canary.ts'

/** The sandbox's vendors in the process of the test: they outlive every gateway, and count their requests. */
export interface CountingVendors {
  /** For `SLUICE_CONFIG`. */
  configFile: string
  /** Vendors that got each order, in sequence; the key is the order's name in the prompt. */
  sent: ReadonlyMap<string, readonly string[]>
  /** Makes `times` requests fail as the rule says. */
  breakDown(rule: Omit<FaultRule, 'id'> & { times: number }): Promise<void>
  /** Number of requests with one of the faults, since `clearFaults`. */
  applied(): Promise<number>
  clearFaults(): Promise<void>
  close(): Promise<void>
}

/** Name of an order, which is part of its prompt. */
const ORDER_NAME = /order-[\w.-]+/

/** `vendor-a:fail` is the script word `[fail]` for that vendor alone: its stand-in goes on as usual. */
const VENDOR_WORD = /(vendor-[ab]):([a-z-]+)/g

const CREATES: ReadonlySet<string> = new Set(['create', 'submit'])

export async function openCountingVendors({
  folder,
  speed,
  moreProviders = () => '',
}: {
  folder: string
  speed: number
  /** Further entries of the configuration, of a sandbox at that address. */
  moreProviders?: (sandboxUrl: string) => string
}): Promise<CountingVendors> {
  const sent = new Map<string, string[]>()
  const parts = PARTS.map((create) => noteIn(sent, create()))
  const sandbox = await startSandbox({ port: 0, speed, parts, nowMs: Date.now })
  const configFile = join(folder, 'providers.yaml')
  writeFileSync(configFile, `${providersAt(sandbox.url)}${moreProviders(sandbox.url)}`)
  const control = async (init: RequestInit) => {
    const answer = await fetch(`${sandbox.url}/_sandbox/faults`, init)
    if (!answer.ok) throw new Error(`the sandbox refused: ${await answer.text()}`)
    return answer.json()
  }
  return {
    configFile,
    sent,
    async breakDown(rule) {
      const headers = { 'content-type': 'application/json' }
      await control({ method: 'POST', headers, body: JSON.stringify(rule) })
    },
    async applied() {
      const { data } = Object(await control({ method: 'GET' }))
      return data.reduce((sum: number, { applied }: { applied: number }) => sum + applied, 0)
    },
    clearFaults: async () => void (await control({ method: 'DELETE' })),
    close: () => sandbox.close(),
  }
}

function noteIn(sent: Map<string, string[]>, part: SandboxPart): SandboxPart {
  const noted = (route: SandboxRoute): SandboxRoute => ({
    ...route,
    handle(request) {
      const text = request.body.toString()
      const [name = 'without a name'] = ORDER_NAME.exec(text) ?? []
      sent.set(name, [...(sent.get(name) ?? []), part.name])
      return route.handle({ ...request, body: Buffer.from(text.replace(VENDOR_WORD, ownWord)) })
    },
  })
  const ownWord = (same: string, vendor: string, word: string) => (vendor === part.name ? `[${word}]` : same)
  return {
    ...part,
    routes: part.routes.map((route) => (CREATES.has(route.operation) ? noted(route) : route)),
  }
}

function providersAt(url: string): string {
  return `providers:
  vendorA:
    driver: vendor-a
    base_url: ${url}/vendor-a/api/v3
    api_key: ${CANARY}
    models: { gen-2.0: up-2.0, gen-2.0-fast: up-2.0-fast }
  vendorB: { driver: vendor-b, base_url: "${url}/vendor-b", api_key: ${CANARY} }
`
}
