import { expect } from 'vitest'
import type { AgentGateway } from './open-gateway.ts'
import type { ClientRun } from './run-client.ts'

const ORDER = { model: 'vendorA/gen-2.0', prompt: 'A barge passes a lock at dawn' }

/** Lets an agent order a video, first with a `max_usd` that is too low, and read its task; waits until it succeeds. */
export async function makeVideo(
  gateway: AgentGateway,
  callTool: (name: string, input: string) => Promise<ClientRun>,
): Promise<void> {
  const call = async (name: string, input: object) => {
    const run = await callTool(name, JSON.stringify(input))
    expect(run, run.stderr).toMatchObject({ code: 0, stdout: 'Done.\n' })
  }
  const read = async (path = '') => {
    const headers = { authorization: `Bearer ${gateway.key}` }
    const answer = await fetch(`${gateway.baseUrl}/v1/video/generations${path}`, { headers })
    return Object(await answer.json())
  }
  await call('create_video', { ...ORDER, max_usd: 0.000001 })
  expect((await read()).data).toEqual([])
  await call('create_video', { ...ORDER, max_usd: 5 })
  const { data } = await read()
  expect(data).toMatchObject([{ model: ORDER.model }])
  const [{ id }] = data
  await call('get_video', { task_id: id })
  await expect.poll(() => read(`/${id}`)).toMatchObject({ status: 'succeeded' })
  const clip = await fetch((await read(`/${id}`)).content.video_url)
  expect(Buffer.from(await clip.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
}
