import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { isWholeRun, reportFigure, roundsOf } from '../../random/fault-run.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { startBalancer } from './harness/balancer.ts'
import { openProxiedWorld } from './proxied-world.ts'
import { openStream, terminalOf } from './text-stream.ts'

const RESTARTS = roundsOf({ slice: 2, whole: 20 })
const { rate, streams } = isWholeRun() ? { rate: 200, streams: 100 } : { rate: 40, streams: 20 }

test(`${RESTARTS} rolling restarts at ${rate} requests a second with ${streams} streams: none is dropped, and each is paid once`, {
  timeout: 1_800_000,
}, async () => {
  const env = { SHUTDOWN_NOT_READY_MS: '1500', SHUTDOWN_GRACE_MS: '30000' }
  const { replicas, books } = await openProxiedWorld({ replicas: 2, env })
  const balancer = await startBalancer(replicas)
  onTestFinished(() => balancer.close())
  await expect.poll(balancer.ready).toBe(2)
  const load = startLoad({ baseUrl: balancer.baseUrl, key: books.tenant.key })
  const beganMs = performance.now()
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const replica = replicas[restart % replicas.length]
    expect(await replica?.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    await replica?.restart()
    await expect.poll(balancer.ready, { timeout: 60_000 }).toBe(2)
  }
  const seconds = (performance.now() - beganMs) / 1_000
  const { answered, dropped } = await load.stop()
  expect(dropped).toEqual([])
  const rows = async () => Number((await books.rows('select count(*) as rows from text_usage'))[0]?.rows)
  await expect.poll(rows, { timeout: 60_000, interval: 200 }).toBe(answered.whole + answered.streams)
  expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
  reportFigure(
    `${RESTARTS} rolling restarts in ${Math.round(seconds)} s: ${answered.whole} requests (${Math.round(answered.whole / seconds)} a second) and ${answered.streams} streams answered to their ends, 0 dropped`,
  )
})

/** Sends requests at a fixed rate, and opens streams again when they end. */
function startLoad({ baseUrl, key }: { baseUrl: string; key: string }) {
  const answered = { whole: 0, streams: 0 }
  const dropped: string[] = []
  const running = new Set<Promise<void>>()
  let isOver = false

  const ask = async (kind: keyof typeof answered) => {
    const isStream = kind === 'streams'
    const body = {
      model: 'vendorD/text-large',
      max_tokens: 200,
      messages: [{ role: 'user', content: isStream ? '[count 40] [pace 50]' : 'a question' }],
      stream: isStream,
    }
    const end = await openStream(`${baseUrl}/v1/messages`, { key, body }).ended
    const isWhole = end.status === 200 && !end.isBroken && (!isStream || terminalOf(end) === 'completed')
    if (isWhole) answered[kind] += 1
    else dropped.push(`${kind}: ${end.status} ${end.text.slice(-300)}`)
  }
  const begin = (work: Promise<void>) => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  const timer = setInterval(() => begin(ask('whole')), 1_000 / rate)
  const keepStream = async () => {
    while (!isOver) await ask('streams')
  }
  for (let stream = 0; stream < streams; stream += 1) begin(delay(stream * 20).then(keepStream))
  return {
    async stop() {
      isOver = true
      clearInterval(timer)
      await Promise.all(running)
      return { answered, dropped }
    },
  }
}
