import { describe, expect, test } from 'vitest'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const LINE = [
  ...['requests', '--org', 'org_1', '--key', 'key_1', '--user', 'usr_1', '--model', 'vendorD/text-small'],
  ...['--provider', 'vendorD', '--status', '200', '--code', 'provider_unavailable'],
  ...[
    '--from',
    '2026-01-02T03:00:00Z',
    '--to',
    '2026-01-03',
    '--min-cost-usd',
    '0.001',
    '--limit',
    '50',
    '--failed',
  ],
]

describe('requests', () => {
  test('asks with every filter, and prints the rows as a table', async () => {
    const { services, calls } = fakeServices()
    const { exitCode, notice, result } = await run(LINE, services)
    expect(exitCode).toBe(0)
    expect(calls).toEqual([
      'open',
      ['showOrganization', 'org_1'],
      [
        'listRequests',
        {
          ...{ organizationId: 'org_1', keyId: 'key_1', userId: 'usr_1', model: 'vendorD/text-small' },
          ...{ provider: 'vendorD', status: 200, code: 'provider_unavailable', minCostMicros: 1_000 },
          isFailed: true,
          ...{ fromMs: Date.UTC(2026, 0, 2, 3), toMs: Date.UTC(2026, 0, 3), limit: 50, cursor: undefined },
        },
      ],
      'close',
    ])
    const [head = '', row = ''] = `${result}${notice}`.split('\n')
    expect(head.split(/\s+/)).toEqual(
      'AT REQUEST OPERATION ORGANIZATION KEY MODEL STATUS CODE TOKENS COST MS TASK'.split(' '),
    )
    expect(row).toMatch(/req_1 +messages +org_1 +key_1 +vendorD\/text-small +200 +provider_unavailable/)
    expect(row).toMatch(/3 in, 4 out +0\.001234 USD +34 +-$/)
  })

  test('--json prints the members of the admin API', async () => {
    const { services } = fakeServices()
    const { result } = await run(['requests', '--json'], services)
    expect(JSON.parse(result)).toEqual([
      {
        ...{ request_id: 'req_1', at: '2026-01-02T03:04:05.000Z', operation: 'messages' },
        ...{ organization_id: 'org_1', key_id: 'key_1', user_id: 'usr_1', model: 'vendorD/text-small' },
        ...{
          served_by: 'vendorD/text-small',
          provider: 'vendorD',
          status: 200,
          code: 'provider_unavailable',
        },
        ...{ input_tokens: 3, output_tokens: 4, cost_micros: 1_234, first_token_ms: 12, duration_ms: 34 },
        ...{ task_id: null, not_kept: null },
      },
    ])
  })

  test.each([
    ['--status', 'bad'],
    ['--from', 'yesterday'],
    ['--limit', '0'],
    ['--min-cost-usd', 'a'],
  ])('%s %s is a fault', async (...words) => {
    const { exitCode, notice } = await run(['requests', ...words], fakeServices().services)
    expect(exitCode).toBe(2)
    expect(notice).toContain('sluice requests')
  })
})
