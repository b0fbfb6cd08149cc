import { DIALECT_NAMES, DIALECTS, type Dialect } from '@sluice/dialects/dialect-facts'
import { expect } from 'vitest'
import { createCalendar } from '../../../../src/domain/limits/calendar-day.ts'
import { openStream } from '../../../system/faults/text-stream.ts'
import type { Tenant } from '../../video/tenants.ts'
import { CHAT_MODEL, MESSAGES_MODEL, RESPONSES_MODEL, textClientOf } from '../call-text.ts'
import { countClosedRequests } from '../closed-requests.ts'
import { startTextApi, type UsageSeen } from '../start-text-api.ts'
import { startStepwiseVendor, type VendorCall } from './stepwise-vendor.ts'

/** A gateway in front of a vendor that goes step by step, and customers who hang up. */
export interface HangUps {
  /** Sends a request of a new customer; resolves when the vendor has it. */
  ask(request: { endpoint: Dialect; vendor: Dialect; stream: boolean; maxTokens?: number }): Promise<Asked>
  /** Number of requests whose end for their clients the gateway has noticed. */
  closedCount(): Promise<number>
  /** Fails unless each balance has decreased by the charges, nothing is held, and the ledger is sound. */
  expectBooks(): Promise<void>
  close(): Promise<void>
}

export interface Asked extends VendorCall {
  hangUp(): void
  /** Resolves when the client has its whole answer. */
  ended: Promise<unknown>
  /**
   * The one usage row of the request. Fails unless the balance and the day are charged exactly its cost, and the
   * customer, who has money for one request at a time, can send the next one.
   */
  charged(): Promise<UsageSeen>
}

/** One model for each vendor dialect, with a credit of one and a half times the reserve of a request. */
const MODELS: Record<Dialect, { model: string; creditMicros: number }> = {
  messages: { model: MESSAGES_MODEL, creditMicros: 30_000 },
  responses: { model: RESPONSES_MODEL, creditMicros: 27_000 },
  chat: { model: CHAT_MODEL, creditMicros: 9_800 },
}
const MAX_TOKENS = 4_096

const BODIES: Record<Dialect, (maxTokens: number) => object> = {
  messages: (max_tokens) => ({ max_tokens, messages: [{ role: 'user', content: 'Hi' }] }),
  responses: (max_output_tokens) => ({ max_output_tokens, input: 'Hi' }),
  chat: (max_completion_tokens) => ({ max_completion_tokens, messages: [{ role: 'user', content: 'Hi' }] }),
}

export async function openHangUps(environment: Record<string, string> = {}): Promise<HangUps> {
  const vendor = await startStepwiseVendor()
  const at = `driver: text, base_url: '${vendor.url}', api_key: k`
  const [small, mini, chat] = [MESSAGES_MODEL, RESPONSES_MODEL, CHAT_MODEL].map((name) => name.split('/')[1])
  const api = await startTextApi({
    environment,
    rows: Object.fromEntries(
      Object.values(MODELS).map(({ model }) => [model, { endpoints: [...DIALECT_NAMES] }]),
    ),
    providers: `providers:
  vendorD: { ${at}, models: { ${small}: messages } }
  vendorC: { ${at}, models: { ${mini}: responses, ${chat}: { dialect: chat, reasons: 'false' } } }`,
  })
  const calendar = createCalendar('UTC')
  const books: { tenant: Tenant; balance: number }[] = []

  /** The day may change while a test runs. */
  async function usedMicros({ userId }: Tenant, sinceMs: number): Promise<number> {
    const days = new Set([sinceMs, Date.now()].map((ms) => calendar.dayAt(ms)))
    const used = [...days].map((day) => api.store.ledger.readDay({ userId, day }))
    return (await Promise.all(used)).reduce((sum, { usedMicros: micros }) => sum + micros, 0)
  }

  return {
    async ask({ endpoint, vendor: dialect, stream, maxTokens = MAX_TOKENS }) {
      const { model, creditMicros } = MODELS[dialect]
      const tenant = await api.openTenant({ creditMicros, dailyUsd: (creditMicros / 1_000_000).toFixed(6) })
      const body = { model, stream, ...BODIES[endpoint](maxTokens) }
      const { path } = DIALECTS[endpoint]
      const sinceMs = Date.now()
      const arriving = vendor.nextCall()
      const { hangUp, ended } = openStream(`${api.url}${path}`, { key: tenant.key, body })
      return {
        ...(await Promise.race([arriving, failedWith(ended)])),
        hangUp,
        ended,
        async charged() {
          const [row] = await api.usageOf(tenant, 1)
          if (row === undefined) throw new Error('there is no row')
          const balance = creditMicros - row.cost_micros
          books.push({ tenant, balance })
          expect(await api.moneyOf(tenant)).toMatchObject({ balance })
          expect(await usedMicros(tenant, sinceMs)).toBe(row.cost_micros)
          const arrivingNext = vendor.nextCall()
          const headers = { authorization: `Bearer ${tenant.key}`, 'compat-version': '2023-06-01' }
          const next = textClientOf(api, tenant).post(path, { ...body, stream: false }, headers)
          const { reply } = await Promise.race([arrivingNext, failedWith(next)])
          reply.writeHead(400).end()
          expect((await next).status).toBe(400)
          expect(await api.usageOf(tenant, 2)).toMatchObject([row, { outcome: 'failed', cost_micros: 0 }])
          return row
        },
      }
    },
    closedCount: () => countClosedRequests(api),
    async expectBooks() {
      for (const { tenant, balance } of books)
        await expect.poll(() => api.moneyOf(tenant)).toEqual({ balance, held: 0 })
      await api.expectSound()
    },
    async close() {
      await api.close()
      await vendor.close()
    },
  }
}

/** Fails the test when the client gets an answer before the vendor gets the request. */
async function failedWith(answer: Promise<{ status: number; text: string }>): Promise<never> {
  const { status, text } = await answer
  throw new Error(`the vendor was not asked: ${status} ${text}`)
}
