import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckpointName } from '../../../src/ports/checkpoint.ts'
import { reportFigure, roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { CRASH_AT_VARIABLE } from './harness/crash-at.ts'
import { CRASHABLE_SERVER, type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { type Books, type OpenBooks, openPostgresBooks, openSqliteBooks } from './video-books.ts'
import { openOrderClient } from './video-client.ts'
import { type CountingVendors, openCountingVendors } from './video-vendors.ts'

const POINTS = [
  'clip.before-copy',
  'clip.mid-file',
  'clip.before-put',
  'clip.before-row',
  'clip.after-row',
] as const satisfies readonly CheckpointName[]

const TIMEOUT_MS = 3_600_000
/** A copy takes less than a second; kills at random fall before, during and after it. */
const MOMENT_MS_MAX = 1_500
/** A time so long ago that a file with it cannot belong to a running copy. */
const LONG_AGO = new Date('2020-01-01')

const folder = mkdtempSync(join(tmpdir(), 'sluice-clip-kills-'))
let vendors: CountingVendors
beforeAll(async () => {
  vendors = await openCountingVendors({ folder, speed: 2_000 })
})
afterAll(async () => {
  await vendors.close()
  rmSync(folder, { recursive: true })
})

describe.each<{ name: string; open: OpenBooks; rounds: number }>([
  { name: 'SQLite', open: openSqliteBooks, rounds: roundsOf({ slice: 1, whole: 10 }) },
  { name: 'PostgreSQL', open: openPostgresBooks, rounds: roundsOf({ slice: 1, whole: 10 }) },
])('kill -9 of a gateway that copies videos, on $name', ({ name, open, rounds }) => {
  test(`kills at each of ${POINTS.length} points once at random and once when idle, ${rounds} times: every video is kept, no extra file`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const random = seededRandom(seedOfRun())
    const books = await open()
    const env = {
      ...{ DATA_DIR: mkdtempSync(join(folder, 'data-')), ...books.env },
      ...{ MEDIA_STORE: 'folder', MARK_CLIPS: 'aigc', OUTBOUND_ALLOW: '127.0.0.0/8' },
      ...{ VIDEO_SWEEP_INTERVAL_MS: '200', SLUICE_CONFIG: vendors.configFile },
    }
    const gateway = await startGateway({ args: CRASHABLE_SERVER, env })
    const { create } = openOrderClient({ baseUrl: gateway.baseUrl, key: books.tenant.key })
    const order = (number: number) =>
      create({
        name: `order-${name}-${number}`,
        body: {
          ...{ model: 'vendorA/gen-2.0', duration: 8, return_last_frame: true },
          content: [{ type: 'text', text: `order-${name}-${number} [instant]` }],
        },
      })
    try {
      let orders = 0
      let copies = 0
      for (let round = 0; round < rounds; round += 1) {
        await killed(gateway)
        for (const point of POINTS) {
          // Copies of killed processes still wait for the end of their leases.
          await gateway.restart({ env: { [CRASH_AT_VARIABLE]: point } })
          const answered = order(orders++).catch(() => undefined)
          expect(await gateway.exited()).toEqual({ code: null, signal: 'SIGKILL' })
          await answered
        }
        await gateway.restart({ env: { [CRASH_AT_VARIABLE]: '' } })
        await order(orders++)
        await delay(random.integer(0, MOMENT_MS_MAX))
        await killed(gateway)
        await books.endLeases()
        await gateway.restart()
        copies = await expectAllKept(books, { gateway, env, orders })
      }
      reportFigure(
        `copies on ${name}: ${rounds * (POINTS.length + 2)} kills, ${copies} files kept, none lost or orphaned`,
      )
    } finally {
      await gateway.stop()
      await books.close()
    }
  })
})

async function killed(gateway: GatewayProcess): Promise<void> {
  expect(await gateway.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
}

async function expectAllKept(
  books: Books,
  { gateway, env, orders }: { gateway: GatewayProcess; env: Record<string, string>; orders: number },
): Promise<number> {
  const states = () => books.rows(`select state, count(*) as count from clips group by state`)
  await expect
    .poll(async () => (await states()).map(({ state, count }) => [state, Number(count)]))
    .toEqual([['kept', 2 * orders]])
  const report = await runSluice(['media', 'check'], env)
  expect(report).toEqual({ ok: true, missing: [], changed: [], orphans: [] })
  const rows = await books.rows(`select task_id, sha256, source_sha256 from clips where kind = 'video'`)
  for (const { task_id: task, sha256, source_sha256: source } of rows) {
    const answer = await fetch(`${gateway.baseUrl}/v1/video/generations/${String(task)}/content`, {
      headers: { authorization: `Bearer ${books.tenant.key}` },
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect({ task, sha256 }).toEqual({ task, sha256: createHash('sha256').update(bytes).digest('hex') })
    expect(source).not.toBe(sha256)
  }
  const incoming = join(env.DATA_DIR ?? '', 'media', 'incoming')
  for (const file of readdirSync(incoming)) utimesSync(join(incoming, file), LONG_AGO, LONG_AGO)
  await expect.poll(() => readdirSync(incoming)).toEqual([])
  return 2 * orders
}
