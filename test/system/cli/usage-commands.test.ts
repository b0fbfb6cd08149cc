import { describe, expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const ROW = {
  day: '2026-01-02',
  organization_id: 'org_1',
  requests: 3,
  errors: 1,
  input_tokens: 10,
  cached_input_tokens: 20,
  cache_write_tokens: 30,
  output_tokens: 40,
  video_seconds: 5.04,
  cost_micros: 1_250_001,
  // 20 of 60 tokens that went in.
  cached_input_share: 0.3333,
}
const WORDS = ['--by', 'day,org', '--from', '2026-01-01', '--to', '2026-02-01', '--org', 'org_1']

describe('usage show and export', () => {
  test('show requests the id, and reports a missing charge', async () => {
    const { services, calls } = fakeServices()
    const { exitCode, notice } = await run(['usage', 'show', 'req_9'], services)
    expect({ exitCode, calls }).toEqual({ exitCode: 1, calls: ['open', ['showUsage', 'req_9'], 'close'] })
    expect(notice).toContain('Nothing was charged for req_9.')
  })

  test('export gets the options that its parent command has too', async () => {
    const { services, calls } = fakeServices()
    const dates = ['--from', '2026-11-01', '--to', '2026-12-01']
    expect(await run(['usage', 'export', '--focus', ...dates], services)).toMatchObject({ exitCode: 0 })
    const query = { organizationId: undefined, from: '2026-11-01', to: '2026-12-01' }
    expect(calls).toEqual(['open', ['exportFocus', query], 'close'])
  })

  test('export without its format is a fault', async () => {
    const { exitCode, notice } = await run(['usage', 'export'], fakeServices().services)
    expect(exitCode).toBe(2)
    expect(notice).toContain("'--focus'")
  })
})

describe('usage', () => {
  test('passes its options on, and prints JSON', async () => {
    const { services, calls } = fakeServices()
    const { exitCode, result } = await run(['usage', ...WORDS, '--json'], services)
    expect({ exitCode, rows: JSON.parse(result) }).toEqual({ exitCode: 0, rows: [ROW] })
    const query = { by: 'day,org', from: '2026-01-01', to: '2026-02-01' }
    expect(calls).toEqual([
      'open',
      ['showOrganization', 'org_1'],
      ['sumUsage', { ...query, organizationId: 'org_1', limit: 1_000, cursor: undefined }],
      'close',
    ])
  })

  test('prints CSV with the members as its first line, and names of organizations as the last column', async () => {
    const { result } = await run(['usage', '--csv'], fakeServices().services)
    const named = { ...ROW, organization_name: 'Acme' }
    expect(result).toBe(`${Object.keys(named).join(',')}\n${Object.values(named).join(',')}\n`)
  })

  test('prints a table with the names of organizations and dollars', async () => {
    const { result } = await run(['usage', '--by', 'day,org'], fakeServices().services)
    const [head = '', row = ''] = result.split('\n')
    expect(head.split(/ {2,}/).slice(0, 4)).toEqual(['day', 'organization_id', 'name', 'requests'])
    expect(row).toMatch(/^2026-01-02 {2}org_1 +Acme +3 .*1\.250001 USD$/)
  })

  test.each([
    [['--csv', '--json'], 'Use --csv or --json, not both.'],
    [['--week'], "Unknown option '--week'."],
    [['nonsense'], 'usage'],
  ])('%j is a fault with the right form', async (line, fault) => {
    const { exitCode, notice } = await run(['usage', ...line], fakeServices().services)
    expect(exitCode).toBe(2)
    expect(notice).toContain(fault)
    expect(notice).toContain('sluice usage')
  })

  test('an unknown organization is reported', async () => {
    const { exitCode, notice } = await run(['usage', '--org', 'org_9'], fakeServices().services)
    expect(exitCode).toBe(1)
    expect(notice).toContain('There is no organization org_9.')
  })
})
