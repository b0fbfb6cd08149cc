import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, vi } from 'vitest'
import { startGateway } from '../../system/faults/harness/gateway-process.ts'
import { runSluice } from '../../system/lifecycle/run-sluice.ts'
import { refuseOutside } from './refuse-outside.ts'

export interface UsageRow {
  model: string
  outcome: string
  losses: string[]
  input: number
  output: number
}

/** The embedded gateway with its sandbox, as `npm start` starts it, and a home folder for the client. */
export interface AgentGateway {
  baseUrl: string
  key: string
  /** Home folder of the client, without the developer's own settings. */
  home: string
  /** Working folder of the client. */
  workplace: string
  /** Variables of every client: only the loopback address is reachable. */
  env: Record<string, string>
  /** Failed answers in the log of the gateway, which may arrive a little after the answers. */
  refusals(): string[]
  /** Number of opened WebSockets. */
  upgrades(): number
  /** Waits until every answer of the gateway has its usage row, and returns the rows of this model. */
  usage(model: string): Promise<UsageRow[]>
  /** Hosts besides the gateway that the client tried to reach. */
  outside: readonly string[]
  /** Stops the gateway, so that its log is complete. */
  stop(): Promise<void>
  /** Stops the gateway and deletes its folder. */
  close(): Promise<void>
}

const KEY = /sk-sluice-[\w-]{48}/

/**
 * The built-in catalog does not offer the models of a messages vendor on `/v1/responses`; this row does. A client sees
 * the change by its context size.
 */
const OFFERED_EVERYWHERE = { name: 'vendorD/text-large', contextTokens: 1_000_001 } as const
const CATALOG = `models:
  - model_id: 11
    name: ${OFFERED_EVERYWHERE.name}
    endpoints: [messages, responses, chat]
    max_output_tokens: 64000
    context_tokens: ${OFFERED_EVERYWHERE.contextTokens}
`

/** Opens a gateway for the tests of a file; the caller closes it. */
export async function openGateway(): Promise<AgentGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-agent-'))
  const dataDir = join(folder, 'data')
  const home = join(folder, 'home')
  const workplace = join(folder, 'workplace')
  mkdirSync(home)
  mkdirSync(workplace)
  const door = await refuseOutside()
  const gateway = await startGateway({ env: { DATA_DIR: dataDir } })
  await vi.waitFor(() => expect(gateway.output()).toMatch(/Reference: http/), { timeout: 10_000 })
  const key = gateway.output().match(KEY)?.[0] ?? ''
  const catalogFile = join(folder, 'catalog.yaml')
  writeFileSync(catalogFile, CATALOG)
  await runSluice(['apply', catalogFile], { DATA_DIR: dataDir })
  await untilOffered(gateway.baseUrl, key)

  const finished = (): Finished[] =>
    gateway
      .output()
      .split('\n')
      .filter((line) => line.includes('"event":"request.finished"'))
      .map((line) => JSON.parse(line))

  return {
    baseUrl: gateway.baseUrl,
    key,
    home,
    workplace,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TMPDIR: folder,
      HTTP_PROXY: door.url,
      HTTPS_PROXY: door.url,
      NO_PROXY: '127.0.0.1',
      NODE_USE_ENV_PROXY: '1',
    },
    refusals: () =>
      finished()
        // An agent asks for messages without a request at /mcp, and 405 is the protocol's answer.
        .filter(({ status }) => status >= 400 && status !== 405)
        .map(({ operation, status, requestId }) => `${operation} ${status} ${requestId}`),
    upgrades: () => finished().filter(({ status }) => status === 101).length,
    usage: async (model) => {
      await expect.poll(() => readUsage(dataDir).length - finished().filter(isAnswer).length).toBe(0)
      return readUsage(dataDir).filter((row) => row.model === model)
    },
    outside: door.wanted,
    stop: async () => void (await gateway.stop()),
    async close() {
      await gateway.stop()
      await door.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until the gateway has read its catalog again, which takes a few seconds at most. */
async function untilOffered(baseUrl: string, key: string): Promise<void> {
  const { name, contextTokens } = OFFERED_EVERYWHERE
  const offer = async () => {
    const reply = await fetch(`${baseUrl}/v1/models/${name}`, { headers: { authorization: `Bearer ${key}` } })
    expect(await reply.json()).toMatchObject({ context_tokens: contextTokens })
  }
  await vi.waitFor(offer, { timeout: 10_000, interval: 100 })
}

interface Finished {
  operation: string
  status: number
  requestId: string
  servedBy?: string
}

const ANSWERED = ['createMessage', 'createResponse', 'createChatCompletion']

/** Whether a request reached a vendor and leaves a row: the warm-up of a WebSocket does not. */
function isAnswer({ operation, status, servedBy }: Finished): boolean {
  const isServed = status === 200 && servedBy !== undefined
  const isFromVendor = isServed || status === 400 || status > 500
  return isFromVendor && ANSWERED.includes(operation)
}

function readUsage(dataDir: string): UsageRow[] {
  const database = new DatabaseSync(join(dataDir, 'sluice.db'), { readOnly: true })
  try {
    const rows = database.prepare('select * from text_usage order by created_at_ms').all()
    return rows.map((row) => ({
      model: String(row.model),
      outcome: String(row.outcome),
      losses: JSON.parse(String(row.losses ?? '[]')),
      input: Number(row.input_tokens) + Number(row.cached_input_tokens) + Number(row.cache_write_tokens),
      output: Number(row.output_tokens),
    }))
  } finally {
    database.close()
  }
}
