import { createClient, type SluiceClient, verifyReceipts } from '@sluice/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTextApi, type TextApi } from '../../api/text/start-text-api.ts'

const MODELS = ['vendorA/gen-2.0', 'vendorB/gen-v4-std'] as const
const PAUSES = { firstPauseMs: 20, pauseMsMax: 100 }

describe('videos of @sluice/client', () => {
  let api: TextApi
  let client: SluiceClient
  beforeAll(async () => {
    api = await startTextApi({ sandboxSpeed: 2_000 })
    client = createClient({ baseUrl: api.url, apiKey: api.tenant.key, retries: 0 })
  })
  afterAll(() => api.close())

  const order = (model: string) => ({ model, content: [{ type: 'text' as const, text: 'a cat on a raft' }] })

  test.each(MODELS)('%s: quoted, created, awaited, listed, downloaded', async (model) => {
    const { quote_id, max_micros } = await client.videos.quote(order(model))
    const { id, status } = await client.videos.create({ ...order(model), quote_id })
    expect(status).toBe('queued')
    const seen: string[] = []
    const video = await client.videos.wait(id, { ...PAUSES, onProgress: (task) => seen.push(task.status) })
    expect(video).toMatchObject({ id, status: 'succeeded', model })
    expect(seen.at(-1)).toBe('succeeded')
    const listed: string[] = []
    for await (const task of client.videos.list()) listed.push(task.id)
    expect(listed).toContain(id)
    const clip = await client.videos.download(id)
    expect(Buffer.from(await clip.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
    const part = await client.videos.download(id, { range: 'bytes=4-7' })
    expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
    const receipt = await client.receipts.ofVideo(id)
    const keys = await client.receipts.keys()
    const { receipts, faults } = await verifyReceipts([receipt], keys)
    expect(faults).toEqual([])
    expect(receipts).toMatchObject([{ task_id: id, kind: 'video' }])
    expect(Number(receipts[0]?.amount_micros)).toBeLessThanOrEqual(max_micros)
  })

  test.each(MODELS)('%s: one key makes one video, and an API error has its code', async (model) => {
    const idempotencyKey = crypto.randomUUID()
    const [one, other] = [
      await client.videos.create(order(model), { idempotencyKey }),
      await client.videos.create(order(model), { idempotencyKey }),
    ]
    expect(other.id).toBe(one.id)
    await expect(client.videos.create({ ...order(model), ratio: '9:1' as '9:16' })).rejects.toMatchObject({
      ...{ name: 'SluiceError', status: 400, param: 'ratio', requestId: expect.stringMatching(/^req_/) },
    })
    await expect(client.videos.get('task_unknown')).rejects.toMatchObject({
      status: 404,
      code: 'task_not_found',
    })
    await client.videos.wait(one.id, PAUSES)
  })

  test('a video of family A can be deleted, a video of family B cannot', async () => {
    const [a, b] = await Promise.all(MODELS.map((model) => client.videos.create(order(model))))
    await client.videos.wait(String(a?.id), PAUSES)
    await client.videos.cancel(String(a?.id))
    await expect(client.videos.get(String(a?.id))).rejects.toMatchObject({ code: 'task_not_found' })
    await expect(client.videos.cancel(String(b?.id))).rejects.toMatchObject({ code: 'task_not_deletable' })
  })

  test('family A and family B: usage by model, and the balance', async () => {
    const models: string[] = []
    for await (const row of client.usage({ by: 'model' })) models.push(String(row.model))
    expect(models).toEqual(expect.arrayContaining([...MODELS]))
    expect(await client.balance()).toMatchObject({ object: 'balance', available_micros: expect.any(Number) })
    expect((await client.models()).map(({ id }) => id)).toEqual(expect.arrayContaining([...MODELS]))
  })
})
