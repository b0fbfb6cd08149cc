import type { JsonObject } from '@sluice/dialects/json/json-object'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecrets } from '../../../../src/adapters/system/secrets.ts'
import { microsOf, picosOf } from '../../../../src/app/billing/read-bill.ts'
import { reconcileBill } from '../../../../src/app/billing/reconcile-bill.ts'
import { ticketOf } from '../../../../src/app/video/encrypted.ts'
import { micros } from '../../../../src/domain/billing/micros.ts'
import type { PriceRow } from '../../../../src/domain/catalog/price-row.ts'
import { drawsOf, isFullRun } from '../../../random/full-run.ts'
import { seedOfRun } from '../../../random/seed-of-run.ts'
import { seededRandom } from '../../../random/seeded-random.ts'
import { clientOf } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

/** The whole run has 1,000 orders of each family over 5 catalogs and takes up to a minute. */
const CATALOGS = 5
const ORDERS = drawsOf({ quick: 4, rest: 40, whole: 200 })

const SECRETS = createSecrets('a secret of the tests, long enough')
const RESOLUTIONS = ['480p', '720p', '1080p'] as const
const MODELS = {
  a: ['vendorA/gen-2.0', 'vendorA/gen-2.0-fast'],
  b: ['vendorB/gen-v4-std', 'vendorB/gen-v4-fast', 'vendorB/gen-v3'],
} as const
type Family = keyof typeof MODELS
const SUMS = { above: 0, below: 0, agreed: 0, notCharged: 0, notBilled: 0 }

interface Priced {
  id: string
  body: JsonObject
  prices: ReadonlyMap<string, readonly PriceRow[]>
}

describe.each(['a', 'b'] as const)('generated orders of family %s, each with a quote', (family) => {
  let api: VideoApi
  const { next, integer, pick } = seededRandom(seedOfRun())
  let acts = 0
  const csv: string[] = []
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  test('cost exactly the bill of the vendor, and never more than the quote', {
    timeout: 300_000,
  }, async () => {
    const tenant = await api.openTenant({ creditMicros: 1_000_000_000_000 })
    const { call, get } = clientOf(api, tenant)
    let catalog = await applyCatalog()
    const sums = { ...SUMS }
    for (let round = 0; round < CATALOGS; round += 1) {
      const orders = []
      for (let index = 0; index < ORDERS; index += 1) {
        const body = family === 'a' ? orderA() : orderB()
        const { status, body: quote } = await call('POST', '/v1/video/quotes', { body })
        expect({ body, quote }).toMatchObject({ quote: { object: 'video.quote' } })
        expect(status).toBe(200)
        orders.push({ body, quoteId: quote.quote_id, max: Number(quote.max_micros), prices: catalog })
      }
      const made = []
      for (const [index, order] of orders.entries()) {
        // The prices change before the second half of the orders.
        if (index === ORDERS / 2) catalog = await applyCatalog()
        const { body } = await call('POST', '/v1/video/generations', {
          body: { ...order.body, quote_id: order.quoteId },
        })
        expect({ order: order.body, body }).toMatchObject({ body: { id: expect.any(String) } })
        made.push({ ...order, id: String(body.id) })
      }
      api.passSeconds(600)
      for (const order of made) expect((await get(order.id)).body).toMatchObject({ status: 'succeeded' })
      const billed = await billFor(made)
      for (const order of made) {
        const [entry] = await api.store.operatorPages.entriesOfTask(order.id)
        const charged = -(entry?.amountMicros ?? 0)
        const bill = billed.get(order.id) ?? order.max
        const expected = { charged: Math.min(bill, order.max), notCharged: Math.max(0, bill - order.max) }
        expect({ order: order.body, charged, notCharged: entry?.quoteLossMicros }).toEqual({
          order: order.body,
          ...expected,
        })
        if (!billed.has(order.id)) sums.notBilled += 1
        else if (bill <= order.max) sums.agreed += 1
        sums.notCharged += expected.notCharged
        if (bill > order.max) sums.above += 1
        if (bill < order.max) sums.below += 1
      }
    }
    // The run proves something only if some bills differ from their quotes.
    if (isFullRun()) {
      expect(sums.below).toBeGreaterThan(0)
      if (family === 'b') expect(sums.above).toBeGreaterThan(0)
    }
    await expectReconciled(sums)
    await api.expectSound()
  })

  /** Each case has its own price, so that a wrong choice shows in the amount. */
  async function applyCatalog(): Promise<ReadonlyMap<string, readonly PriceRow[]>> {
    const models = (await api.store.models.list()).filter(({ name }) => isOneOf(MODELS[family], name))
    const changes = models.map((model) => ({ model, prices: makePrices() }))
    await api.store.models.apply(changes, {
      ...{ id: `aud_${acts++}`, atMs: 0, actor: 'cli', action: 'catalog.apply' },
      ...{ organizationId: null, subject: 'catalog', detail: {} },
    })
    api.forgetPrices()
    return new Map(changes.map(({ model, prices }) => [model.name, prices]))
  }

  function makePrices(): PriceRow[] {
    return RESOLUTIONS.flatMap((resolution) =>
      [true, false].flatMap((videoInput) =>
        [true, false].map((audio) => ({
          ...{ unit: family === 'a' ? ('video_token' as const) : ('second' as const) },
          ...{ resolution, videoInput, audio },
          priceMicros: micros(integer(1, family === 'a' ? 20_000_000 : 200_000)),
        })),
      ),
    )
  }

  function orderA(): JsonObject {
    const videos = pick([0, 0, 1, 2])
    return {
      model: pick(MODELS.a),
      content: [
        { type: 'text', text: `a boat ${pick(['', '', '[instant]', '[no-usage]'])}` },
        ...Array.from({ length: videos }, (_, at) => media('video', `https://media.example/${at}.mp4`)),
      ],
      ...some({ duration: pick([4, 5, 7, 10, 15]), ratio: pick(['16:9', '9:16', '1:1']) }),
      ...some({ resolution: pick(RESOLUTIONS), generate_audio: pick([true, false]) }),
    }
  }

  function orderB(): JsonObject {
    const model = pick(MODELS.b)
    const text = { type: 'text', text: `a boat ${pick(['', '[credits]', '[instant]', '[no-usage]'])}` }
    const image = media('image', 'https://media.example/a.png')
    const content = model === 'vendorB/gen-v3' || next() < 0.3 ? [text, image] : [text]
    return {
      ...{ model, content },
      ...some({ duration: pick([4, 5, 8]), resolution: pick(RESOLUTIONS) }),
      ...(model === 'vendorB/gen-v4-std' ? some({ generate_audio: pick([true, false]) }) : {}),
    }
  }

  /** Returns a random part of the fields. */
  function some(fields: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(fields).filter(() => next() < 0.7))
  }

  /** The bill that the sandbox writes for these orders, by its own measure and arithmetic, in micros by task. */
  async function billFor(orders: readonly Priced[]): Promise<Map<string, number>> {
    const taskOf = new Map<string, string>()
    const tasks = []
    for (const order of orders) {
      const task = await api.store.tasks.findForOperator(order.id)
      const ticket = String(task && ticketOf(task, SECRETS))
      const vendorId = ticket.slice(ticket.lastIndexOf('/') + 1)
      taskOf.set(vendorId, order.id)
      tasks.push({ id: vendorId, usd: (priceOf(order) / 1_000_000).toFixed(6) })
    }
    const answer = await fetch(`${api.vendors.url}/_sandbox/bill`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ tasks }),
    })
    expect(answer.status).toBe(200)
    const lines = (await answer.text()).trimEnd().split('\n')
    csv.push(...lines.slice(csv.length === 0 ? 0 : 1))
    return new Map(
      lines.slice(1).map((line) => {
        const [vendorId = '', , , usd = ''] = line.split(',')
        return [taskOf.get(vendorId) ?? vendorId, microsOf(picosOf(usd) ?? 0n)]
      }),
    )
  }

  function priceOf({ body, prices }: Priced): number {
    const row = prices
      .get(String(body.model))
      ?.find(
        ({ resolution, videoInput, audio }) =>
          resolution === (body.resolution ?? '720p') &&
          videoInput === JSON.stringify(body.content).includes('video_url') &&
          audio === (body.generate_audio ?? false),
      )
    if (row === undefined) throw new Error('every case has a price')
    return row.priceMicros
  }

  /** Reconciles all bills with the command's own reader: only quotes make bills and charges differ. */
  async function expectReconciled({ agreed, notCharged, notBilled }: typeof SUMS): Promise<void> {
    const { tasks, usageReports } = api.store
    const clock = { nowMs: () => api.time.nowMs, monotonicMs: () => 0 }
    const found = await reconcileBill({ tasks, usageReports, secrets: SECRETS, clock })({
      provider: family === 'a' ? 'vendorA' : 'vendorB',
      columns: { ticket: 'task_id', usd: 'usd' },
      file: (async function* () {
        yield new TextEncoder().encode(csv.join('\n'))
      })(),
      onProgress: () => {},
    })
    expect({
      agreed: found.agreed,
      notCharged: found.differentAmounts.micros,
      notBilled: found.chargedNotBilled.count,
    }).toEqual({ agreed, notCharged, notBilled })
    expect(found).toMatchObject({ marginMicros: 0, billedNotCharged: { count: 0 } })
  }
})

function media(kind: 'image' | 'video', url: string): JsonObject {
  return { type: `${kind}_url`, [`${kind}_url`]: { url } }
}

function isOneOf(names: (typeof MODELS)[Family], name: string): boolean {
  return names.some((known) => known === name)
}
