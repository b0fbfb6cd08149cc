import { afterEach, expect, test, vi } from 'vitest'
import type { LedgerReport } from '../../../src/app/billing/check-ledger.ts'
import type { Violation } from '../../../src/ports/ledger.ts'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const VIOLATIONS: Violation[] = [
  { invariant: 1, subject: 'org_1', message: 'The entries of org_1 add up to 5, its balance is 7.' },
  { invariant: 6, subject: 'hold_1', message: 'hold_1 is open past its\n deadline.' },
]

afterEach(() => vi.useRealTimers())

test('a broken ledger is reported line by line, and fails', async () => {
  const { services, calls } = fakeServices({ violations: VIOLATIONS })
  expect(await run(['ledger', 'check'], services)).toEqual({
    exitCode: 1,
    result: [
      'BROKEN  invariant 1, org_1: The entries of org_1 add up to 5, its balance is 7.',
      'BROKEN  invariant 6, hold_1: hold_1 is open past its deadline.',
      '',
    ].join('\n'),
    notice: '2 checks failed.\n',
  })
  expect(calls.at(-1)).toBe('close')
})

test('a cut list is marked as cut, and the notice counts broken checks, not shown lines', async () => {
  const second = { invariant: 1, subject: 'org_2', message: 'Wrong too.' }
  const [first] = VIOLATIONS
  const violations = first === undefined ? [second] : [first, second]
  const { services } = fakeServices({ violations, truncatedInvariants: [1] })
  const { result, notice } = await run(['ledger', 'check'], services)
  expect(result).toMatch(
    / is 7\.\nBROKEN {2}invariant 1, org_2: Wrong too\.\n {8}invariant 1 is broken more often: only the first 2 are shown\.\n$/,
  )
  expect(notice).toBe('One check failed.\n')
  const json = JSON.parse((await run(['ledger', 'check', '--json'], services)).result)
  expect(json).toEqual({ ok: false, violations, cut_invariants: [1] })
})

test('counts the charges without a measure for the comparison', async () => {
  const { services } = fakeServices({ unmeasuredCharges: 3 })
  expect(await run(['ledger', 'check'], services)).toMatchObject({
    exitCode: 0,
    result:
      'The ledger is right: all fifteen invariants hold.\nLeft out of invariant 8: 3 charges from before measures were kept with them.\n',
  })
  const json = JSON.parse((await run(['ledger', 'check', '--json'], services)).result)
  expect(json).toEqual({ ok: true, violations: [], unmeasured_charges: 3 })
})

test('a broken ledger as JSON', async () => {
  const { services } = fakeServices({ violations: VIOLATIONS })
  const { exitCode, result } = await run(['ledger', 'check', '--json'], services)
  expect(exitCode).toBe(1)
  expect(JSON.parse(result)).toEqual({ ok: false, violations: VIOLATIONS })
})

test('a long check shows its progress', async () => {
  vi.useFakeTimers()
  const { services } = fakeServices()
  const { promise, resolve } = Promise.withResolvers<LedgerReport>()
  const { operator, close } = await services.composeOperator(services.loadConfig())
  const slow = { ...operator, checkLedger: () => promise }
  const running = run(['ledger', 'check', '--json'], {
    ...services,
    composeOperator: async () => ({ operator: slow, close }),
  })
  await vi.advanceTimersByTimeAsync(2_000)
  resolve({ violations: [], truncatedInvariants: [], unmeasuredCharges: 0, uncheckedInvariants: [] })
  const { result, notice } = await running
  expect(notice).toMatch(/^Still checking: .*\n$/)
  expect(result).toBe('{"ok":true,"violations":[]}\n')
})
