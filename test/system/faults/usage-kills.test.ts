import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { roundsOf } from '../../random/fault-run.ts'
import { seedOfRun } from '../../random/seed-of-run.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import { runSluice } from '../lifecycle/run-sluice.ts'
import { startGateway } from './harness/gateway-process.ts'
import { textProvidersAt } from './text-world.ts'
import { startMixedLoad } from './usage-load.ts'
import { type OpenBooks, openPostgresBooks, openSqliteBooks } from './video-books.ts'
import { openCountingVendors } from './video-vendors.ts'

const KILLS = roundsOf({ slice: 5, whole: 20 })
const ADMIN_API_KEY = 'an-admin-key-of-this-test'

test.each<{ name: string; open: OpenBooks }>([
  { name: 'SQLite', open: openSqliteBooks },
  { name: 'PostgreSQL', open: openPostgresBooks },
])(
  `${KILLS} times kill -9 under texts, streams, videos and refunds, on $name: sums, rows and entries agree after each`,
  { timeout: 600_000 },
  async ({ name, open }) => {
    const random = seededRandom(seedOfRun())
    const folder = mkdtempSync(join(tmpdir(), 'sluice-usage-kills-'))
    const moreProviders = (url: string) => textProvidersAt(`${url}/text`)
    const vendors = await openCountingVendors({ folder, speed: 200, moreProviders })
    const books = await open()
    const gateway = await startGateway({
      env: {
        ...books.env,
        ADMIN_API_KEY,
        SLUICE_CONFIG: vendors.configFile,
        VIDEO_SWEEP_INTERVAL_MS: '200',
        OUTBOUND_ALLOW: '127.0.0.0/8',
        LOG_LEVEL: 'warn',
      },
    })
    const { baseUrl } = gateway
    const load = startMixedLoad({
      ...{ baseUrl, key: books.tenant.key, adminKey: ADMIN_API_KEY },
      // Separate random values, so that the moments of the kills do not depend on the order of responses.
      random: seededRandom(seedOfRun() + 1),
    })
    const expectAgreement = async () =>
      expect(await runSluice(['ledger', 'check'], books.env)).toMatchObject({ ok: true, violations: [] })
    try {
      for (let kills = 0; kills < KILLS; kills += 1) {
        await load.ended(random.integer(1, 20))
        await delay(random.integer(0, 40))
        load.pause()
        expect(await gateway.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' })
        await gateway.restart()
        await expectAgreement()
        load.resume()
      }
      // Each kind of charge goes on after the last kill, and is in the sums.
      await load.endedOfEach(1)
      await load.stop()
      await expectAgreement()
      const [sums] = await books.rows(SUMS)
      console.log(`${name}: ${KILLS} kills; ${JSON.stringify({ ...load.counts, ...sums })}`)
      expect(Number(sums?.texts) + Number(sums?.videos)).toBe(Number(sums?.counted))
      for (const count of [sums?.texts, sums?.videos, sums?.refunds]) expect(Number(count)).toBeGreaterThan(0)
    } finally {
      await load.stop()
      await gateway.stop()
      await vendors.close()
      await books.close()
      rmSync(folder, { recursive: true })
    }
  },
)

const SUMS = `
  select (select count(*) from text_usage) as texts,
    (select count(*) from ledger_entries where kind = 'settlement') as videos,
    (select count(*) from ledger_entries where kind = 'refund') as refunds,
    (select sum(requests) from usage_rollup_day) as counted`
