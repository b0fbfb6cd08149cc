import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { runSluice } from '../life/run-sluice.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { openStream, type TextStream } from './text-stream.ts'
import { type Books, openSqliteBooks } from './video-books.ts'

/** A gateway in a process of its own before the sandbox's text vendor, in every pairing of client and vendor. */
export interface TextWorld {
  gateway: GatewayProcess
  books: Books
  /** Opens a stream, or what `more` of a body asks for; `turn` goes through the pairings. */
  open(turn: number, prompt: string, more?: object): TextStream
  /** How the vendor saw its calls end. */
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

/** Offered everywhere, and no bound of theirs ends a long stream. */
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
  writeFileSync(configFile, providersAt(vendorUrl ?? `${sandbox.url}/text`))
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

function providersAt(url: string): string {
  return `providers:
  vendorC:
    driver: text
    base_url: ${url}
    api_key: any
    models: { model-4.1: chat, model-o3: responses }
  vendorD:
    driver: text
    base_url: ${url}
    api_key: any
    models: { text-large: messages }
`
}
