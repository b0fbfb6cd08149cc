import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandboxClock } from '../../../../sandbox/clock.ts'
import { type Sandbox, startSandbox } from '../../../../sandbox/server.ts'
import type { TaskStep } from '../../../../sandbox/tasks/life.ts'
import { createNotices, type Watched } from '../../../../sandbox/vendor-a/notices.ts'
import { openReceiver } from '../open-receiver.ts'
import { callVendor, textAt } from '../open-vendors.ts'
import { order, TASKS } from '../vendor-a-client.ts'

/** Notices are sent by the vendor, so time really passes: a vendor's minute takes 60 ms by default. */
async function openSandbox(speed = 1_000): Promise<Sandbox> {
  const sandbox = await startSandbox({ port: 0, speed, nowMs: Date.now })
  onTestFinished(() => sandbox.close())
  return sandbox
}

async function create(sandbox: Sandbox, words: string, callbackUrl: string): Promise<string> {
  const body = order(words, { callback_url: callbackUrl })
  return textAt(await callVendor(`${sandbox.url}${TASKS}`, { method: 'POST', body }), 'id')
}

const read = (sandbox: Sandbox, id: string) => callVendor(`${sandbox.url}${TASKS}/${id}`, { method: 'GET' })
const remove = (sandbox: Sandbox, id: string) =>
  callVendor(`${sandbox.url}${TASKS}/${id}`, { method: 'DELETE' })

it('tells each step, with the task as it is then', async () => {
  const sandbox = await openSandbox()
  const receiver = await openReceiver()
  const id = await create(sandbox, '', receiver.url)
  await expect.poll(receiver.statuses).toEqual(['queued', 'running', 'succeeded'])
  expect(receiver.bodies[0]).toMatchObject({ id, method: 'POST', path: '/v1/video/result?token=t1' })
  expect(receiver.bodies[0]).not.toHaveProperty('content')
  expect(receiver.bodies[2]).toMatchObject({
    id,
    content: { video_url: expect.stringContaining(`${sandbox.url}/vendor-a/clips/`) },
    usage: { completion_tokens: 108_900 },
  })
})

it.each([
  ['fail', ['queued', 'running', 'failed']],
  ['expire', ['queued', 'running', 'expired']],
  ['stuck', ['queued', 'running']],
  ['gone', ['queued', 'running']],
  ['twice', ['queued', 'queued', 'running', 'running', 'succeeded', 'succeeded']],
  ['disorder', ['succeeded', 'running', 'queued']],
])('[%s] tells %j', async (word, statuses) => {
  const sandbox = await openSandbox()
  const receiver = await openReceiver()
  await create(sandbox, `[${word}]`, receiver.url)
  await expect.poll(receiver.statuses).toEqual(statuses)
})

it('[silent] tells nothing', async () => {
  const sandbox = await openSandbox()
  const receiver = await openReceiver()
  const id = await create(sandbox, '[silent]', receiver.url)
  await expect.poll(async () => textAt(await read(sandbox, id), 'status')).toBe('succeeded')
  await create(sandbox, '', receiver.url)
  await expect.poll(receiver.statuses).toEqual(['queued', 'running', 'succeeded'])
  expect(receiver.bodies.some((body) => body.id === id)).toBe(false)
})

it('tries three times, then goes on', async () => {
  const sandbox = await openSandbox()
  const receiver = await openReceiver((number) => (number <= 3 ? 500 : 200))
  await create(sandbox, '', receiver.url)
  await expect.poll(receiver.statuses).toEqual(['queued', 'queued', 'queued', 'running', 'succeeded'])
})

it('sends a notice again after a redirect, and not after a success', async () => {
  const sandbox = await openSandbox()
  const receiver = await openReceiver((number) => (number === 1 ? 302 : 200))
  await create(sandbox, '', receiver.url)
  await expect.poll(receiver.statuses).toEqual(['queued', 'queued', 'running', 'succeeded'])
})

it('tells a cancellation', async () => {
  const sandbox = await openSandbox(1)
  const receiver = await openReceiver()
  const id = await create(sandbox, '', receiver.url)
  await expect.poll(receiver.statuses).toEqual(['queued'])
  expect((await remove(sandbox, id)).status).toBe(200)
  await expect.poll(receiver.statuses).toEqual(['queued', 'cancelled'])
})

describe('a watched task', () => {
  const clock = createSandboxClock({ nowMs: Date.now, speed: 1 })
  const watched = (callbackUrl: string, steps: TaskStep[]): Watched => ({
    callbackUrl: new URL(callbackUrl),
    steps,
    words: [],
    clock,
    write: ({ stage }) => JSON.stringify({ status: stage }),
  })
  const soon = (ms: number) => Date.now() + ms

  it.each<[TaskStep | undefined, string[]]>([
    [{ stage: 'cancelled', atMs: 0 }, ['cancelled', 'succeeded']],
    [undefined, ['succeeded']],
  ])('sends no more notices after an interruption, but %j', async (instead, statuses) => {
    const receiver = await openReceiver()
    const notices = createNotices()
    onTestFinished(() => notices.close())
    notices.watch('one', watched(receiver.url, [{ stage: 'running', atMs: soon(50) }]))
    notices.interrupt('one', instead)
    await expect.poll(receiver.statuses).toEqual(statuses.slice(0, -1))
    notices.watch('other', watched(receiver.url, [{ stage: 'succeeded', atMs: soon(150) }]))
    await expect.poll(receiver.statuses).toContain('succeeded')
    expect(receiver.statuses()).toEqual(statuses)
  })

  it('sends no more notices after a close', async () => {
    const receiver = await openReceiver()
    const [notices, others] = [createNotices(), createNotices()]
    onTestFinished(() => others.close())
    notices.watch('one', watched(receiver.url, [{ stage: 'running', atMs: soon(50) }]))
    notices.close()
    others.watch('other', watched(receiver.url, [{ stage: 'succeeded', atMs: soon(150) }]))
    await expect.poll(receiver.statuses).toContain('succeeded')
    expect(receiver.statuses()).toEqual(['succeeded'])
  })
})

it('does not keep the sandbox from closing', async () => {
  const sandbox = await openSandbox(1)
  const receiver = await openReceiver(() => 'never')
  await create(sandbox, '', receiver.url)
  await expect.poll(receiver.statuses).toEqual(['queued'])
  await sandbox.close()
  expect(receiver.statuses()).toEqual(['queued'])
})

it('takes an address where no server answers', async () => {
  const sandbox = await openSandbox()
  for (const callbackUrl of ['http://127.0.0.1:1/', 'https://127.0.0.1:1/']) {
    const id = await create(sandbox, '', callbackUrl)
    await expect.poll(async () => textAt(await read(sandbox, id), 'status')).toBe('succeeded')
  }
})
