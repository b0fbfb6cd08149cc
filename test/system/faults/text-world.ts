import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startSandbox } from '../../../sandbox/server.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { costOfText, textPricesOf } from '../../../src/domain/billing/text-prices.ts'
import { builtInModels } from '../../../src/domain/catalog/built-in.ts'
import { CANARY } from '../../random/canary.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { openStream, type TextStream } from './text-stream.ts'
import { type Books, CREDIT_MICROS, openSqliteBooks } from './video-books.ts'

/** A gateway in its own process with the sandbox's text vendor, in every pairing of client and vendor. */
export interface TextWorld {
  gateway: GatewayProcess
  books: Books
  /** Opens a stream, or what `more` of a body asks for; `turn` goes through the pairings. */
  open(turn: number, prompt: string, more?: object): TextStream
  /** Ends of the vendor's calls, as the vendor saw them. */
  vendorCounts(): Promise<{ open: number; finished: number; aborted: number }>
  /** One row for each call that was sent, once all are there. */
  usage(count: number): Promise<Record<string, unknown>[]>
  expectSoundLedger(): Promise<void>
  close(): Promise<void>
}

export const CELLS = [
  { path: '/v1/messages', model: 'vendorD/text-large' },
  { path: '/v1/messages', model: 'vendorC/model-4.1' },
  { path: '/v1/messages', model: 'vendorC/model-o3' },
  { path: '/v1/responses', model: 'vendorC/model-o3' },
  { path: '/v1/responses', model: 'vendorC/model-4.1' },
  { path: '/v1/responses', model: 'vendorD/text-large' },
] as const

/** Models whose own bound never ends a long stream. */
const CATALOG = `models:
  - { model_id: 7, name: vendorC/model-4.1, max_output_tokens: 100000000 }
  - { model_id: 9, name: vendorC/model-o3, max_output_tokens: 100000000 }
  - { model_id: 11, name: vendorD/text-large, endpoints: [messages, responses], max_output_tokens: 100000000 }
`

/** `vendorUrl`: a vendor of the test's own instead of the sandbox's. */
export async function openTextWorld(
  env: Record<string, string> = {},
  { vendorUrl }: { vendorUrl?: string } = {},
): Promise<TextWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-text-fault-'))
  const sandbox = await startSandbox({ port: 0, speed: 1, nowMs: systemClock.nowMs })
  const configFile = join(folder, 'sluice.yaml')
  const catalogFile = join(folder, 'catalog.yaml')
  writeFileSync(configFile, `providers:\n${textProvidersAt(vendorUrl ?? `${sandbox.url}/text`)}`)
  writeFileSync(catalogFile, CATALOG)
  const books = await openSqliteBooks()
  const own = { ...books.env, SLUICE_CONFIG: configFile }
  const gateway = await startGateway({
    env: { ...own, LOG_LEVEL: 'warn', ...env },
  })
  await runSluice(['apply', catalogFile], own)
  const { key } = books.tenant
  return {
    gateway,
    books,
    open(turn, prompt, more = {}) {
      const { path, model } = CELLS[turn % CELLS.length] ?? CELLS[0]
      const isMessages = path === '/v1/messages'
      const asked = isMessages
        ? { max_tokens: 100_000_000, messages: [{ role: 'user', content: prompt }] }
        : { input: prompt, store: false }
      return openStream(`${gateway.baseUrl}${path}`, {
        key,
        body: { model, stream: true, ...asked, ...more },
      })
    },
    async vendorCounts() {
      const answer = await fetch(`${sandbox.url}/_sandbox/text`)
      return Object(await answer.json())
    },
    async usage(count) {
      const rows = () => books.rows('select * from text_usage')
      await expect
        .poll(async () => (await rows()).length, { timeout: 60_000, interval: 200 })
        .toBeGreaterThanOrEqual(count)
      return rows()
    },
    async expectSoundLedger() {
      expect(await runSluice(['ledger', 'check'], own)).toMatchObject({ ok: true, violations: [] })
    },
    async close() {
      await gateway.stop()
      await sandbox.close()
      await books.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/**
 * Each row costs the catalog price of its tokens, or one of these multiples of it; the balance has lost the sum of all
 * rows.
 */
export async function expectPriced(
  { books }: Pick<TextWorld, 'books'>,
  multiples: readonly number[] = [1],
): Promise<void> {
  const rows = await books.rows('select * from text_usage')
  let charged = 0
  for (const row of rows) {
    const costs = multiples.map((multiple) => costOf(row, multiple))
    const isFree = row.outcome === 'failed' && Number(row.cost_micros) === 0
    expect(isFree ? [0] : costs, String(row.id)).toContain(Number(row.cost_micros))
    charged += Number(row.cost_micros)
  }
  const [organization] = await books.rows('select balance_micros from organizations')
  expect(Number(organization?.balance_micros)).toBe(CREDIT_MICROS - charged)
}

function costOf(row: Record<string, unknown>, multiple: number): number {
  const listed = BUILT_IN.find(({ name }) => name === row.model)?.prices ?? []
  const prices = textPricesOf(
    listed.map((price) => ({ ...price, priceMicros: micros(price.priceMicros * multiple) })),
  )
  if (prices === undefined) throw new Error(`${row.model} has no price`)
  return costOfText(prices, {
    input: Number(row.input_tokens),
    cachedInput: Number(row.cached_input_tokens),
    cacheWrite: Number(row.cache_write_tokens),
    output: Number(row.output_tokens),
  })
}

const BUILT_IN = builtInModels(0)

/** Entries of the configuration. */
export function textProvidersAt(url: string): string {
  return `  vendorC:
    driver: text
    base_url: ${url}
    api_key: ${CANARY}
    models: { model-4.1: chat, model-o3: responses }
  vendorD:
    driver: text
    base_url: ${url}
    api_key: ${CANARY}
    models: { text-large: messages }
`
}
