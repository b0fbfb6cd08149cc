import { describe, expect, it } from 'vitest'
import { openVendors, START_MS, textAt } from '../open-vendors.ts'
import { createTask, readTask, refusal, TASKS } from '../vendor-a-client.ts'

const START_SECONDS = START_MS / 1_000

describe('200', () => {
  it('a task waits, works and ends', async () => {
    const vendors = await openVendors()
    const options = { ratio: '9:16', resolution: '1080p', duration: 10, seed: 7, generate_audio: false }
    const id = await createTask(vendors, '', { ...options, execution_expires_after: 3_600 })
    const shown = {
      id,
      ...options,
      model: 'up-2.0',
      error: null,
      created_at: START_SECONDS,
      framespersecond: 24,
      draft: false,
      service_tier: 'default',
      execution_expires_after: 3_600,
    }
    expect(await readTask(vendors, id)).toMatchObject({ status: 200 })
    expect((await readTask(vendors, id)).body).toEqual({
      ...shown,
      status: 'queued',
      updated_at: START_SECONDS,
    })
    vendors.passSeconds(60)
    expect((await readTask(vendors, id)).body).toEqual({
      ...shown,
      status: 'running',
      updated_at: START_SECONDS,
    })
    vendors.passSeconds(60)
    const tokens = Math.floor((1_080 * 1_920 * 241) / 1_024)
    expect((await readTask(vendors, id)).body).toEqual({
      ...shown,
      status: 'succeeded',
      updated_at: START_SECONDS + 2,
      content: { video_url: expect.stringContaining('/vendor-a/clips/1080x1920-10s-') },
      usage: { completion_tokens: tokens, total_tokens: tokens },
    })
  })

  it('what was left out is 720p, 16:9 and 5 seconds', async () => {
    const vendors = await openVendors()
    const id = await createTask(vendors, '[instant]')
    expect((await readTask(vendors, id)).body).toMatchObject({
      resolution: '720p',
      ratio: '16:9',
      duration: 5,
      seed: expect.any(Number),
      generate_audio: true,
      execution_expires_after: 172_800,
      usage: { completion_tokens: 108_900 },
    })
  })

  it('a reference video counts as five seconds more', async () => {
    const vendors = await openVendors()
    const content = [
      { type: 'text', text: '[instant]' },
      { type: 'video_url', video_url: { url: 'https://example.com/v.mp4' } },
    ]
    const id = await createTask(vendors, '', { content })
    const tokens = Math.floor((1_280 * 720 * 241) / 1_024)
    expect((await readTask(vendors, id)).body).toMatchObject({ usage: { completion_tokens: tokens } })
  })

  it('each read gives a fresh link to the same clip, which plays', async () => {
    const vendors = await openVendors()
    const id = await createTask(vendors, '[instant]', { resolution: '480p', ratio: '1:1' })
    const first = textAt(await readTask(vendors, id), 'content.video_url')
    vendors.passRealMs(1)
    const second = textAt(await readTask(vendors, id), 'content.video_url')
    expect(second).not.toBe(first)
    expect(new URL(second).pathname).toBe(new URL(first).pathname)
    const response = await fetch(second)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
  })

  it('a restart in the middle changes nothing', async () => {
    const vendors = await openVendors()
    const id = await createTask(vendors, '[no-usage]', { duration: 4 })
    vendors.passSeconds(30)
    const before = await readTask(vendors, id)
    const again = await vendors.reopen()
    expect((await readTask(again, id)).body).toEqual(before.body)
    again.passSeconds(70)
    const after = await readTask(again, id)
    expect(after.body).toMatchObject({ status: 'succeeded', duration: 4 })
    expect(after.body).not.toHaveProperty('usage')
  })
})

describe('a script', () => {
  it.each([
    ['fail', { status: 'failed', error: { code: 'VideoGenerationFailed' } }],
    ['moderate-late', { status: 'failed', error: { code: 'OutputVideoSensitiveContentDetected' } }],
    ['bad-media', { status: 'failed', error: { code: 'InvalidParameter.MediaDownloadFailed' } }],
    ['expire', { status: 'expired', error: null }],
    ['cancelled', { status: 'cancelled', error: null }],
    ['no-video', { status: 'succeeded', content: {} }],
  ])('[%s] ends so, with HTTP 200', async (word, shown) => {
    const vendors = await openVendors()
    const id = await createTask(vendors, `[${word}]`)
    vendors.passSeconds(50)
    expect((await readTask(vendors, id)).body).toMatchObject({ status: 'running', error: null })
    vendors.passSeconds(50)
    const answer = await readTask(vendors, id)
    expect(answer).toMatchObject({ status: 200, body: shown })
    if (shown.status !== 'succeeded') expect(answer.body).not.toHaveProperty('content')
  })

  it('[gone] is forgotten in the middle', async () => {
    const vendors = await openVendors()
    const id = await createTask(vendors, '[gone]')
    expect((await readTask(vendors, id)).status).toBe(200)
    vendors.passSeconds(100)
    expect((await readTask(vendors, id)).status).toBe(404)
  })

  it('[stuck] never ends, not even at its deadline', async () => {
    const vendors = await openVendors()
    const id = await createTask(vendors, '[stuck]', { execution_expires_after: 1 })
    vendors.passSeconds(1_000_000)
    expect((await readTask(vendors, id)).body).toMatchObject({ status: 'running' })
  })

  it('[slow] needs ten times as long', async () => {
    const vendors = await openVendors()
    const id = await createTask(vendors, '[slow]')
    vendors.passSeconds(999)
    expect((await readTask(vendors, id)).body).toMatchObject({ status: 'running' })
    vendors.passSeconds(2)
    expect((await readTask(vendors, id)).body).toMatchObject({ status: 'succeeded' })
  })

  it('[late] succeeds after the deadline, other tasks expire there', async () => {
    const vendors = await openVendors()
    const late = await createTask(vendors, '[late]', { execution_expires_after: 1 })
    const other = await createTask(vendors, '', { execution_expires_after: 1 })
    vendors.passRealMs(1_000)
    expect((await readTask(vendors, other)).body).toMatchObject({ status: 'expired' })
    expect((await readTask(vendors, late)).body).toMatchObject({ status: 'running' })
    vendors.passSeconds(61)
    expect((await readTask(vendors, late)).body).toMatchObject({ status: 'succeeded' })
  })

  it('[odd-status] runs under a status of its own', async () => {
    const vendors = await openVendors()
    const id = await createTask(vendors, '[odd-status]')
    vendors.passSeconds(30)
    expect((await readTask(vendors, id)).body).toMatchObject({ status: 'processing' })
  })

  it('[short-link] gives a link for a minute', async () => {
    const vendors = await openVendors()
    const id = await createTask(vendors, '[short-link] [instant]')
    const link = textAt(await readTask(vendors, id), 'content.video_url')
    vendors.passSeconds(59)
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(200)
    vendors.passSeconds(2)
    expect((await fetch(link, { method: 'HEAD' })).status).toBe(403)
  })
})

it('401: with a wrong key', async () => {
  const vendors = await openVendors()
  const id = await createTask(vendors)
  const answer = await vendors.call('GET', `${TASKS}/${id}`, undefined, { authorization: 'Bearer bad-key' })
  expect(answer.status).toBe(401)
})

it.each(['cgt-unknown', 'x', 'cgt-'])('404: %s', async (id) => {
  const vendors = await openVendors()
  expect(await readTask(vendors, id)).toMatchObject({ status: 404, body: refusal('ResourceNotFound', 'id') })
})
