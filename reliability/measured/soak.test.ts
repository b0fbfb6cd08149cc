import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { reportFigure, soakMinutes } from '../../test/random/fault-run.ts'
import { seedOfRun } from '../../test/random/seed-of-run.ts'
import { seededRandom } from '../../test/random/seeded-random.ts'
import {
  CONNECTION_FAULTS,
  openProxiedWorld,
  PROXIED_PARTS,
  startClients,
} from '../../test/system/faults/proxied-world.ts'
import { runSluice } from '../../test/system/lifecycle/run-sluice.ts'

const MINUTES = soakMinutes(30)
const SAMPLE_MS = 5_000
/** Caches and pools fill during the first third. */
const WARM_UP = 1 / 3
const GROWTH_MAX_MB_PER_MINUTE = 1.5
/** A shorter run only checks the ledger: its process is still warming up. */
const JUDGED_FROM_MINUTES = 10

test(`${MINUTES} minutes of seeded chaos: memory does not grow, and the books are in order`, {
  timeout: (MINUTES + 10) * 60_000,
}, async () => {
  const random = seededRandom(seedOfRun())
  const { replicas, books, proxies, sent, openTasks, flushCache } = await openProxiedWorld({ replicas: 2 })
  const [lasting, victim] = replicas
  if (lasting === undefined || victim === undefined) throw new Error('two replicas')
  const baseUrls = replicas.map(({ baseUrl }) => baseUrl)
  const { seen, running, stop } = startClients({ baseUrls, key: books.tenant.key, lanes: 6, name: 'soak' })
  const untilMs = Date.now() + MINUTES * 60_000
  const samples: { minute: number; mb: number }[] = []
  const counts = { connections: 0, kills: 0, restarts: 0, flushes: 0 }
  const sampling = setInterval(() => {
    const minute = MINUTES - (untilMs - Date.now()) / 60_000
    samples.push({ minute, mb: residentMb(lasting.pid) })
  }, SAMPLE_MS)
  const acts = {
    async connections() {
      const proxy = proxies[random.pick(PROXIED_PARTS)]
      await proxy.setMode(random.pick(CONNECTION_FAULTS)(random))
      await delay(random.integer(100, 5_000))
      await proxy.setMode({ kind: 'pass' })
    },
    async kills() {
      await victim.kill('SIGKILL')
      await victim.restart()
    },
    async restarts() {
      await victim.kill('SIGTERM')
      await victim.restart()
    },
    flushes: flushCache,
  }
  const disturb = async () => {
    while (Date.now() < untilMs) {
      const act = random.pick([
        'connections',
        'connections',
        'connections',
        'kills',
        'restarts',
        'flushes',
      ] as const)
      await acts[act]()
      counts[act] += 1
      await delay(random.integer(500, 6_000))
    }
  }
  await Promise.race([running, disturb()])
  stop()
  clearInterval(sampling)
  await running
  await expect.poll(openTasks, { timeout: 180_000, interval: 500 }).toBe(0)
  expect([...sent.values()].filter(({ length }) => length > 1)).toEqual([])
  expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
  const slope = slopeOf(samples.filter(({ minute }) => minute >= MINUTES * WARM_UP))
  reportFigure(
    `soak of ${MINUTES} min, seed ${seedOfRun()}: ${JSON.stringify(counts)}, clients ${JSON.stringify(seen)}, ` +
      `memory ${slope.toFixed(2)} MB a minute (${Math.round(samples.at(-1)?.mb ?? 0)} MB at the end${MINUTES < JUDGED_FROM_MINUTES ? ', too short to judge' : ''})`,
  )
  if (MINUTES >= JUDGED_FROM_MINUTES) expect(slope).toBeLessThan(GROWTH_MAX_MB_PER_MINUTE)
})

function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1_024
}

/** Slope of the line that fits best. */
function slopeOf(samples: readonly { minute: number; mb: number }[]): number {
  const mean = (pick: (sample: { minute: number; mb: number }) => number) =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length
  const [minute, mb] = [mean((sample) => sample.minute), mean((sample) => sample.mb)]
  const spread = mean((sample) => (sample.minute - minute) ** 2)
  return spread === 0 ? 0 : mean((sample) => (sample.minute - minute) * (sample.mb - mb)) / spread
}
