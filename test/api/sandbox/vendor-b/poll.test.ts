import { describe, expect, it } from 'vitest'
import { openVendors, textAt } from '../open-vendors.ts'
import { BODIES, poll, submitTask } from '../vendor-b-client.ts'

const WORK = 'text2video'
const prompt = (words: string) => ({ prompt: `A cat ${words}` })

describe('200', () => {
  it('a task waits, works and ends', async () => {
    const vendors = await openVendors()
    const id = await submitTask(vendors, WORK, { duration: 8, resolution: '1080p', aspect_ratio: '9:16' })
    const shown = { task_id: id, code: 200, msg: expect.any(String), trace_id: expect.any(String) }
    expect((await poll(vendors, WORK, id)).body).toEqual({ ...shown, status: 'pending', data: null })
    vendors.passSeconds(30)
    expect((await poll(vendors, WORK, id)).body).toEqual({ ...shown, status: 'running', data: null })
    vendors.passSeconds(90)
    expect((await poll(vendors, WORK, id)).body).toEqual({
      ...shown,
      status: 'success',
      data: {
        video_url: expect.stringContaining('/vendor-b/clips/1080x1920-8s-'),
        duration: 8,
        resolution: '1080p',
      },
    })
  })

  it.each(Object.keys(BODIES))('%s ends with a clip that can be fetched', async (work) => {
    const vendors = await openVendors()
    const id = await submitTask(vendors, work)
    vendors.passSeconds(200)
    const answer = await poll(vendors, work, id)
    expect(answer.body).toMatchObject({ status: 'success', data: { duration: 5, resolution: '720p' } })
    const response = await fetch(textAt(answer, 'data.video_url'))
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
  })

  it('an unknown resolution is shown as it was asked, with a clip of 720p', async () => {
    const vendors = await openVendors()
    const id = await submitTask(vendors, WORK, { ...prompt('[instant]'), resolution: '4k' })
    const answer = await poll(vendors, WORK, id)
    expect(answer.body).toMatchObject({ data: { resolution: '4k' } })
    expect(textAt(answer, 'data.video_url')).toContain('/1280x720-')
  })

  it('a restart in the middle changes nothing', async () => {
    const vendors = await openVendors()
    const id = await submitTask(vendors, WORK, { ...prompt('[credits]'), duration: 4 })
    vendors.passSeconds(30)
    const again = await vendors.reopen()
    expect((await poll(again, WORK, id)).body).toMatchObject({ status: 'running' })
    again.passSeconds(70)
    expect((await poll(again, WORK, id)).body).toMatchObject({
      status: 'success',
      data: { duration: 4, cost_credits: 48 },
    })
  })
})

describe('a script', () => {
  it.each([
    ['fail', 200],
    ['moderate-late', 482],
    ['bad-media', 422],
    ['expire', 200],
    ['cancelled', 200],
  ])('[%s] fails in the middle, with code %i', async (word, code) => {
    const vendors = await openVendors()
    const id = await submitTask(vendors, WORK, prompt(`[${word}]`))
    vendors.passSeconds(50)
    expect((await poll(vendors, WORK, id)).body).toMatchObject({ status: 'running' })
    vendors.passSeconds(50)
    expect(await poll(vendors, WORK, id)).toMatchObject({
      status: 200,
      body: { status: 'failed', code, msg: expect.stringMatching(/\w/), data: null },
    })
  })

  it.each([
    ['no-usage', ['video_url']],
    ['no-video', ['duration', 'resolution']],
    ['credits', ['video_url', 'duration', 'resolution', 'cost_credits']],
  ])('[%s] succeeds with %j', async (word, members) => {
    const vendors = await openVendors()
    const id = await submitTask(vendors, WORK, prompt(`[${word}] [instant]`))
    const { body } = await poll(vendors, WORK, id)
    expect(body).toMatchObject({ status: 'success' })
    expect(Object.keys(Reflect.get(Object(body), 'data'))).toEqual(members)
  })

  it('[odd-status] works under "unknown"', async () => {
    const vendors = await openVendors()
    const id = await submitTask(vendors, WORK, prompt('[odd-status]'))
    vendors.passSeconds(30)
    expect((await poll(vendors, WORK, id)).body).toMatchObject({ status: 'unknown' })
  })

  it('[late] succeeds after an hour, [stuck] never', async () => {
    const vendors = await openVendors()
    const late = await submitTask(vendors, WORK, prompt('[late]'))
    const stuck = await submitTask(vendors, WORK, prompt('[stuck]'))
    vendors.passSeconds(3_599)
    expect((await poll(vendors, WORK, late)).body).toMatchObject({ status: 'running' })
    vendors.passSeconds(2)
    expect((await poll(vendors, WORK, late)).body).toMatchObject({ status: 'success' })
    expect((await poll(vendors, WORK, stuck)).body).toMatchObject({ status: 'running' })
  })

  it('[gone] is forgotten in the middle', async () => {
    const vendors = await openVendors()
    const id = await submitTask(vendors, WORK, prompt('[gone]'))
    vendors.passSeconds(200)
    expect((await poll(vendors, WORK, id)).status).toBe(404)
  })
})

it('404: an unknown id, and a task of another work', async () => {
  const vendors = await openVendors()
  const id = await submitTask(vendors, 'extension')
  for (const answer of [await poll(vendors, 'extension/cutshot', id), await poll(vendors, WORK, 't2v1')]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 404, task_id: '', data: null } })
    expect(answer.body).not.toHaveProperty('status')
  }
})
