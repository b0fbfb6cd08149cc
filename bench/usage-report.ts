import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DatabaseSync } from 'node:sqlite'
import { migrateSqlite } from '../src/adapters/sqlite/migrate.ts'
import { openSqliteStore } from '../src/adapters/sqlite/open-store.ts'
import type { Store } from '../src/ports/store.ts'
import { SILENT_LOG } from '../test/engines/store/silent-log.ts'

/** 10 million requests in 90 days: 200 organizations with 5 keys and 3 models, a third of which are used in each hour. */
const DAYS = 90
const KEYS = 1_000
const MODELS = 3
const FROM_MS = Date.UTC(2026, 7, 1)
const TO_MS = FROM_MS + DAYS * 86_400_000

const COLUMNS = `organization_id, starts_at_ms, user_id, api_key_id, model, outcome, requests, errors, input_tokens,
  cached_input_tokens, cache_write_tokens, output_tokens, video_ms, cost_micros, first_byte_100, first_byte_250,
  first_byte_500, first_byte_1000, first_byte_2500, first_byte_5000, first_byte_10000, first_byte_more, duration_250,
  duration_1000, duration_2500, duration_5000, duration_15000, duration_60000, duration_300000, duration_more`

/** `series(a, b)` is a relation of whole numbers `n`. Only one key in ten of an hour has a row. */
function fillWith(series: (name: string, to: number) => string, withClause = ''): string[] {
  const row = (requests: number) =>
    `'org_' || (k.n / 5), t.n, 'usr_' || (k.n / 5), 'key_' || k.n, 'vendor/model-' || m.n, 'completed', ${requests}, 0,
     ${requests * 900}, 0, 0, ${requests * 300}, 0, ${requests * 1_200}, ${requests}, 0, 0, 0, 0, 0, 0, 0, 0, ${requests}, 0, 0, 0, 0, 0, 0`
  const from = (count: number, stepMs: number, more = '') => `
    from (select ${FROM_MS} + (n - 1) * ${stepMs} as n from ${series('t', count)}) as t,
      ${series('k', KEYS)} as k, ${series('m', MODELS)} as m ${more}`
  return [
    `${withClause} insert into usage_rollup_day (${COLUMNS}) select ${row(37)} ${from(DAYS, 86_400_000)}`,
    `${withClause} insert into usage_rollup_hour (${COLUMNS}) select ${row(15)}
     ${from(DAYS * 24, 3_600_000, 'where (k.n * 7 + t.n / 3600000) % 10 = 0')}`,
  ]
}

async function measure(name: string, store: Store): Promise<void> {
  const ask = (by: readonly string[], organizationId?: string) =>
    store.usageReports.sum({
      ...{ by: by as never, fromMs: FROM_MS, toMs: TO_MS, organizationId, after: undefined, limit: 1_001 },
      unit: by.includes('hour') ? 'hour' : 'day',
    })
  await ask(['day'])
  for (const [by, organizationId] of [
    [['day'], undefined],
    [['org'], undefined],
    [['day', 'model'], undefined],
    [['day', 'org'], undefined],
    [['day', 'model'], 'org_7'],
    [['hour'], 'org_7'],
  ] as const) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const times: number[] = []
    for (let run = 0; run < 5; run += 1) {
      const began = performance.now()
      await ask(by, organizationId)
      times.push(performance.now() - began)
    }
    delay.disable()
    const median = times.toSorted((one, other) => one - other)[2] ?? 0
    console.log(
      `${name.padEnd(11)} by ${by.join(',').padEnd(10)} ${(organizationId ?? 'all').padEnd(6)} median ${median.toFixed(1)} ms, longest turn ${(delay.max / 1e6).toFixed(1)} ms`,
    )
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'sluice-bench-usage-'))
await migrateSqlite({ dataDir })
const database = new DatabaseSync(join(dataDir, 'sluice.db'))
const numbers = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${DAYS * 24})`
for (const text of fillWith((_name, to) => `(select n from numbers where n <= ${to})`, numbers))
  database.exec(text)
database.close()
const sqlite = await openSqliteStore({ dataDir, role: 'beside', log: SILENT_LOG })
await measure('SQLite', sqlite)
await sqlite.close()
rmSync(dataDir, { recursive: true })
