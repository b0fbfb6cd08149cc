import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSecrets } from '../../../../src/adapters/system/secrets.ts'
import { ticketOf } from '../../../../src/app/video/encrypted.ts'
import { micros } from '../../../../src/domain/billing/micros.ts'
import type { PriceRow } from '../../../../src/domain/catalog/price-row.ts'
import { isJsonObject, type JsonObject } from '../../../../src/domain/json-object.ts'
import { isFullRun } from '../../../random/full-run.ts'
import { seedOfRun } from '../../../random/seed-of-run.ts'
import { seededRandom } from '../../../random/seeded-random.ts'
import { clientOf } from '../call-api.ts'
import { startVideoApi, type VideoApi } from '../start-video-api.ts'

/** In the full run 1,000 orders of each family over 5 catalogs: 25 s, because each is quoted, ordered, made and read. */
const CATALOGS = 5
const ORDERS = isFullRun() ? 200 : 4

const SECRETS = createSecrets('a secret of the tests, long enough')
const RESOLUTIONS = ['480p', '720p', '1080p'] as const
const MODELS = {
  a: ['vendorA/gen-2.0', 'vendorA/gen-2.0-fast'],
  b: ['vendorB/gen-v4-std', 'vendorB/gen-v4-fast', 'vendorB/gen-v3'],
} as const
type Family = keyof typeof MODELS

describe.each(['a', 'b'] as const)('generated orders of family %s, each by its quote', (family) => {
  let api: VideoApi
  const { next, integer, pick } = seededRandom(seedOfRun())
  let acts = 0
  beforeAll(async () => {
    api = await startVideoApi()
  })
  afterAll(() => api.close())

  test('cost what the bill of the vendor comes to, to the micro, and never more than the quote', {
    timeout: 300_000,
  }, async () => {
    const tenant = await api.openTenant({ creditMicros: 1_000_000_000_000 })
    const { call, get } = clientOf(api, tenant)
    let catalog = await applyCatalog()
    const sums = { above: 0, below: 0 }
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
        // Half of them are ordered after the prices have changed.
        if (index === ORDERS / 2) catalog = await applyCatalog()
        const { body } = await call('POST', '/v1/video/generations', {
          body: { ...order.body, quote_id: order.quoteId },
        })
        expect({ order: order.body, body }).toMatchObject({ body: { id: expect.any(String) } })
        made.push({ ...order, id: String(body.id) })
      }
      api.passSeconds(600)
      for (const order of made) {
        expect((await get(order.id)).body).toMatchObject({ status: 'succeeded' })
        const [entry] = await api.store.operatorPages.entriesOfTask(order.id)
        const charged = -(entry?.amountMicros ?? 0)
        const bill = (await billOf(order)) ?? order.max
        const expected = { charged: Math.min(bill, order.max), notCharged: Math.max(0, bill - order.max) }
        expect({ order: order.body, charged, notCharged: entry?.quoteLossMicros }).toEqual({
          order: order.body,
          ...expected,
        })
        if (bill > order.max) sums.above += 1
        if (bill < order.max) sums.below += 1
      }
    }
    // The orders are of no use when the vendor always bills what was quoted.
    if (isFullRun()) {
      expect(sums.below).toBeGreaterThan(0)
      if (family === 'b') expect(sums.above).toBeGreaterThan(0)
    }
    await api.expectSound()
  })

  /** A price of its own for every case, so that one that was chosen wrongly shows in the amount. */
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

  /** Each of the fields, or not. */
  function some(fields: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(fields).filter(() => next() < 0.7))
  }

  /** What the vendor measured by its own answer, at the price of the catalog, in whole numbers; undefined: it measured nothing. */
  async function billOf({
    id,
    body,
    prices,
  }: {
    id: string
    body: JsonObject
    prices: ReadonlyMap<string, readonly PriceRow[]>
  }): Promise<number | undefined> {
    const measured = await readVendor(id)
    if (measured.credits !== undefined) return measured.credits * 10_000
    const row = prices
      .get(String(body.model))
      ?.find(
        ({ resolution, videoInput, audio }) =>
          resolution === (body.resolution ?? '720p') &&
          videoInput === JSON.stringify(body.content).includes('video_url') &&
          audio === (body.generate_audio ?? false),
      )
    if (row === undefined) throw new Error('every case has a price')
    if (measured.seconds !== undefined) return measured.seconds * row.priceMicros
    if (measured.tokens === undefined) return undefined
    return Number((BigInt(measured.tokens) * BigInt(row.priceMicros) + 500_000n) / 1_000_000n)
  }

  /** Asks the vendor itself, past the driver. */
  async function readVendor(
    id: string,
  ): Promise<{ tokens?: number | undefined; seconds?: number | undefined; credits?: number | undefined }> {
    const task = await api.store.tasks.findForOperator(id)
    const ticket = task && ticketOf(task, SECRETS)
    const slash = String(ticket).lastIndexOf('/')
    const path =
      family === 'a'
        ? `/vendor-a/api/v3/contents/generations/tasks/${ticket}`
        : `/vendor-b/api/v1/video/${ticket?.slice(0, slash)}/task/${ticket?.slice(slash + 1)}`
    const answer = await fetch(`${api.vendors.url}${path}`, { headers: { authorization: 'Bearer any' } })
    const said: unknown = await answer.json()
    expect({ status: answer.status, said }).toMatchObject({ status: 200 })
    const { usage, data } = isJsonObject(said) ? said : {}
    const [measuredA, measuredB] = [isJsonObject(usage) ? usage : {}, isJsonObject(data) ? data : {}]
    return {
      tokens: numberIn(measuredA.completion_tokens),
      seconds: numberIn(measuredB.duration),
      credits: numberIn(measuredB.cost_credits),
    }
  }
})

function media(kind: 'image' | 'video', url: string): JsonObject {
  return { type: `${kind}_url`, [`${kind}_url`]: { url } }
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function isOneOf(names: (typeof MODELS)[Family], name: string): boolean {
  return names.some((known) => known === name)
}
