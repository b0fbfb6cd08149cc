import { beforeEach, describe, expect, test } from 'vitest'
import { micros } from '../../../src/domain/billing/micros.ts'
import type { LogPosition, RefusedRequest, RequestFilter } from '../../../src/ports/request-log.ts'
import type { UsageRow } from '../../../src/ports/usage.ts'
import type { GetOpened } from './opened-store.ts'
import { createFunded, sampleCost, sampleGroup, sampleUsageRow } from './sample-money.ts'
import { MORNING_MS, sampleApiKey, sampleAudit, sampleUser } from './sample-rows.ts'
import { beginAccepted, sampleMove } from './sample-task.ts'

function taskId(atMs: number): string {
  return `task_${atMs.toString(16).padStart(12, '0')}${'0'.repeat(20)}`
}

function refused(part: Partial<RefusedRequest> & { id: string }): RefusedRequest {
  return {
    ...{ atMs: MORNING_MS, organizationId: 'org_1', userId: 'usr_1', keyId: 'key_1', operation: 'chat' },
    ...{ status: 429, code: 'rate_limit_exceeded', model: 'vendorC/model-4.1', durationMs: 3, notKept: null },
    ...part,
  }
}

export function describeRequestLog(opened: GetOpened): void {
  const store = () => opened().store
  const log = () => store().requestLog

  async function idsOf(filter: RequestFilter = {}, limit = 100): Promise<string[]> {
    const { rows } = await log().page({ filter, after: undefined, limit })
    return rows.map(({ id }) => id)
  }

  /** Ids of all pages. */
  async function inPages(limit: number, filter: RequestFilter = {}): Promise<string[]> {
    const ids: string[] = []
    for (let after: LogPosition | undefined, pages = 0; pages < 50; pages += 1) {
      const { rows, next } = await log().page({ filter, after, limit })
      ids.push(...rows.map(({ id }) => id))
      if (next === undefined) return ids
      after = next
    }
    throw new Error('the pages have no end')
  }

  let groups = 0
  async function writeUsage(
    atMs: number,
    rows: (Partial<Omit<UsageRow, 'costMicros'>> & { cost?: number })[],
  ) {
    groups += 1
    const written = rows.map((row) => sampleUsageRow({ requestId: `req_of_${row.id}`, ...row }))
    await store().usage.write(sampleGroup({ id: `ent_log_${groups}`, rows: written, atMs }))
  }

  async function closeSpans(pass: { beforeMs: number; rows: number; spansMin?: number }): Promise<number> {
    const spans = await log().readSpans({ spansMin: 1, spansMax: 3, ...pass })
    const values = spans.flatMap(({ id, values: found }) => found.map((value) => ({ value, spanId: id })))
    await log().writeSpanValues(values)
    await log().writeSpanValues(values)
    await log().closeSpans(spans)
    await log().closeSpans(spans)
    return spans.length
  }

  describe('the request log', () => {
    beforeEach(async () => {
      await createFunded(store(), { balance: 1_000_000 })
      await createFunded(store(), { id: 'org_2', balance: 1_000_000 })
    })

    test('a page has usage rows, videos and refused requests, newest first', async () => {
      await writeUsage(MORNING_MS, [
        { id: 'use_1', cost: 7 },
        { id: 'use_2', status: 200, code: 'provider_unavailable', outcome: 'failed', firstByteMs: null },
      ])
      await beginAccepted(store(), { id: taskId(MORNING_MS + 1), createdAtMs: MORNING_MS + 1 })
      await log().writeRefused([refused({ id: 'req_3', atMs: MORNING_MS + 2 })])
      const { rows, next } = await log().page({ filter: {}, after: undefined, limit: 10 })
      expect(next).toBeUndefined()
      const common = { organizationId: 'org_1', userId: 'usr_1', keyId: 'key_1' }
      expect(rows).toEqual([
        {
          ...{ id: 'req_3', requestId: 'req_3', atMs: MORNING_MS + 2, operation: 'chat', ...common },
          ...{
            model: 'vendorC/model-4.1',
            servedBy: null,
            provider: null,
            status: 429,
            code: 'rate_limit_exceeded',
          },
          ...{ inputTokens: null, outputTokens: null, costMicros: 0, firstTokenMs: null, durationMs: 3 },
          ...{ taskId: null, notKept: null },
        },
        expect.objectContaining({
          ...{ id: taskId(MORNING_MS + 1), taskId: taskId(MORNING_MS + 1), atMs: MORNING_MS + 1 },
          ...{ operation: 'video.create', status: 200, code: null, costMicros: 0, durationMs: null },
        }),
        expect.objectContaining({
          ...{ id: 'use_2', requestId: 'req_of_use_2', status: 200, code: 'provider_unavailable' },
        }),
        {
          ...{ id: 'use_1', requestId: 'req_of_use_1', atMs: MORNING_MS, operation: 'messages', ...common },
          ...{ model: 'vendorC/model-4.1', servedBy: 'vendorC/model-4.1', provider: 'vendorC' },
          ...{ status: 200, code: null, inputTokens: 3, outputTokens: 4, costMicros: 7 },
          ...{ firstTokenMs: 12, durationMs: 34, taskId: null, notKept: null },
        },
      ])
    })

    test('a video costs nothing until it is settled, and has the code of its failure', async () => {
      const [good, bad] = [taskId(MORNING_MS), taskId(MORNING_MS + 1)]
      await beginAccepted(store(), { id: good, createdAtMs: MORNING_MS })
      const move = sampleMove('succeeded', { id: good })
      await store().tasks.move({ ...move, cost: sampleCost(60) })
      await beginAccepted(store(), { id: bad, createdAtMs: MORNING_MS + 1 })
      await store().tasks.move(sampleMove('failed', { id: bad }))
      const { rows } = await log().page({ filter: {}, after: undefined, limit: 10 })
      expect(rows.map(({ costMicros }) => costMicros)).toEqual([0, 60])
      expect(rows[0]?.code).toEqual(expect.any(String))
      expect(await idsOf({ minCostMicros: micros(60) })).toEqual([good])
      expect(await idsOf({ minCostMicros: micros(61) })).toEqual([])
      expect(await idsOf({ code: rows[0]?.code ?? '' })).toEqual([bad])
      expect(await idsOf({ isFailed: true })).toEqual([bad])
      expect(await idsOf({ status: 503 })).toEqual([])
    })

    test('pages are adjacent, even within one millisecond and between the tables', async () => {
      for (let at = 0; at < 4; at += 1) {
        const atMs = MORNING_MS + at
        await writeUsage(atMs, [{ id: `use_${at}a` }, { id: `use_${at}b` }])
        await beginAccepted(store(), { id: taskId(atMs), createdAtMs: atMs })
        await log().writeRefused([refused({ id: `req_${at}`, atMs })])
      }
      const all = [3, 2, 1, 0].flatMap((at) => [
        `use_${at}b`,
        `use_${at}a`,
        taskId(MORNING_MS + at),
        `req_${at}`,
      ])
      expect(await idsOf()).toEqual(all)
      for (const limit of [1, 2, 3, 5, 16]) expect(await inPages(limit)).toEqual(all)
      expect(await idsOf({ fromMs: MORNING_MS + 1, toMs: MORNING_MS + 3 })).toEqual(all.slice(4, 12))
    })

    test.each([
      ['rows without spans', 0],
      ['rows in spans', 5],
      ['rows in one large span', 30],
    ])('filters over %s', async (_what, rowsOfSpan) => {
      await store().users.create(sampleUser({ id: 'usr_2', organizationId: 'org_2' }), sampleAudit())
      const rare = { organizationId: 'org_2', userId: 'usr_2', keyId: 'key_2' }
      await store().apiKeys.create(
        sampleApiKey({ id: 'key_2', organizationId: 'org_2', userId: 'usr_2' }),
        sampleAudit(),
      )
      for (let at = 0; at < 40; at += 1) {
        const id = `use_${String(at).padStart(2, '0')}`
        const atMs = MORNING_MS + at * 10
        if (at % 13 === 5) await writeUsage(atMs, [{ id, ...rare, cost: 900 }])
        else if (at === 7) await writeUsage(atMs, [{ id, model: 'a/served', askedModel: 'b/asked', cost: 5 }])
        else if (at === 8)
          await writeUsage(atMs, [{ id, provider: 'other', status: 502, code: 'upstream_error' }])
        else if (at === 9) await writeUsage(atMs, [{ id, status: 499, code: 'client_closed_request' }])
        else await writeUsage(atMs, [{ id }])
      }
      await log().writeRefused(
        Array.from({ length: 12 }, (_, at) => {
          const id = `req_${String(at).padStart(2, '0')}`
          return refused({ id, atMs: MORNING_MS + at * 10, ...(at === 4 && rare) })
        }),
      )
      while (rowsOfSpan > 0 && (await closeSpans({ beforeMs: MORNING_MS + 1_000, rows: rowsOfSpan })) > 0);

      const failed = ['req_09', 'use_08', 'req_08', 'req_07', 'req_06', 'req_05']
      const ofRare = ['use_31', 'use_18', 'use_05', 'req_04']
      const cases: [RequestFilter, string[]][] = [
        [{ organizationId: 'org_2' }, ofRare],
        [{ keyId: 'key_2' }, ofRare],
        [{ userId: 'usr_2' }, ofRare],
        [{ model: 'b/asked' }, ['use_07']],
        [{ provider: 'other' }, ['use_08']],
        [{ status: 502 }, ['use_08']],
        [{ code: 'upstream_error' }, ['use_08']],
        [{ isFailed: true, toMs: MORNING_MS + 100, provider: 'other' }, ['use_08']],
        [{ isFailed: true, fromMs: MORNING_MS + 50, toMs: MORNING_MS + 100 }, failed],
        [{ minCostMicros: micros(900) }, ['use_31', 'use_18', 'use_05']],
        [{ keyId: 'key_2', status: 429 }, ['req_04']],
        [{ keyId: 'key_9' }, []],
        [{ keyId: 'key_2', fromMs: MORNING_MS + 50, toMs: MORNING_MS + 310 }, ['use_18', 'use_05']],
      ]
      for (const [filter, expected] of cases) {
        expect({ filter, ids: await idsOf(filter) }).toEqual({ filter, ids: expected })
        expect({ filter, ids: await inPages(1, filter) }).toEqual({ filter, ids: expected })
      }
    })

    test('spans need enough rows, are closed once, and are deleted with their rows', async () => {
      for (let at = 0; at < 5; at += 1) await writeUsage(MORNING_MS + at, [{ id: `use_${at}` }])
      const pass = { beforeMs: MORNING_MS + 5, rows: 4 }
      expect(await closeSpans({ ...pass, beforeMs: MORNING_MS + 3 })).toBe(0)
      expect(await closeSpans({ ...pass, spansMin: 2 })).toBe(0)
      expect(await closeSpans(pass)).toBe(1)
      expect(await closeSpans(pass)).toBe(0)
      await log().writeRefused([refused({ id: 'req_1' }), refused({ id: 'req_1' }), refused({ id: 'req_2' })])
      expect(await idsOf({ status: 429 })).toEqual(['req_2', 'req_1'])
      expect(await log().dropOld({ beforeMs: MORNING_MS, limit: 10 })).toBe(0)
      expect(await log().dropOld({ beforeMs: MORNING_MS + 10, limit: 10 })).toBe(2)
      const count = async (table: string) =>
        (await opened().runSql(`select count(*) as n from ${table}`)).map(({ n }) => Number(n))
      expect([await count('log_spans'), await count('log_span_values')]).toEqual([[0], [0]])
    })

    test('rows of an older program have no operation and no status', async () => {
      await writeUsage(MORNING_MS, [{ id: 'use_1' }])
      await opened().runSql('update text_usage set operation = null, status = null, asked_model = null')
      const { rows } = await log().page({ filter: {}, after: undefined, limit: 10 })
      expect(rows).toMatchObject([{ operation: null, status: null, code: null, model: 'vendorC/model-4.1' }])
    })
  })
}
