import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ReconcileBill, Reconciliation } from '../../../src/app/billing/reconcile-bill.ts'
import { realServices, type Services } from '../../../src/cli/services.ts'
import { readConfig } from '../../../src/compose/config.ts'
import { micros } from '../../../src/domain/billing/micros.ts'
import { fakeServices } from './fake-services.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-bill-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0

function fileOf(text: string): string {
  const path = join(folder, `bill-${++files}.csv`)
  writeFileSync(path, text)
  return path
}

const NONE = { count: 0, micros: micros(0), rows: [] }
const AGREED: Reconciliation = {
  ...{ fromMs: Date.parse('2026-11-01'), toMs: Date.parse('2026-12-01'), lines: 3, agreed: 3 },
  ...{ chargedNotBilled: NONE, billedNotCharged: NONE, differentAmounts: NONE, marginMicros: micros(0) },
  ...{ unassigned: { lines: 0, micros: micros(0) }, atRiskMicros: micros(0) },
}
const UNBILLED = {
  ...{ billId: null, id: 'task_1', organizationId: 'org_1', status: 'succeeded' },
  ...{ chargedMicros: micros(700_000), billedMicros: micros(0) },
}
const DISAGREED: Reconciliation = {
  ...AGREED,
  chargedNotBilled: { count: 1, micros: micros(700_000), rows: [UNBILLED] },
  billedNotCharged: {
    ...{ count: 21, micros: micros(26_250_000) },
    rows: Array.from({ length: 21 }, (_, at) => ({
      ...{ billId: `cgt\u001b-${at}`, id: null, organizationId: null, status: null },
      ...{ chargedMicros: micros(0), billedMicros: micros(1_250_000) },
    })),
  },
  ...{ marginMicros: micros(200_000), unassigned: { lines: 2, micros: micros(4_900_000) } },
  atRiskMicros: micros(26_950_000),
}

function servicesWith(reconcileBill: ReconcileBill): Services {
  const { services } = fakeServices()
  return {
    ...services,
    async composeOperator(config) {
      const { operator, close } = await services.composeOperator(config)
      return { operator: { ...operator, reconcileBill }, close }
    },
  }
}

const BILL = fileOf('task_id,cost\n')
const WORDS = ['reconcile', BILL, '--provider', 'vendorB', '--map', 'ticket=task_id,usd=cost']

test('exit code 0: the bill agrees; options are passed and progress is shown', async () => {
  const asked: unknown[] = []
  const services = servicesWith(async ({ file, onProgress, ...command }) => {
    let bytes = 0
    for await (const chunk of file) bytes += chunk.length
    asked.push({ ...command, bytes })
    onProgress({ of: 'lines', count: 100_000 })
    return AGREED
  })
  expect(await run([...WORDS, '--from', '2026-11-01', '--to', '2026-12-01'], services)).toEqual({
    exitCode: 0,
    result:
      'vendorB from 2026-11-01 to 2026-12-01: 3 lines of the bill, 3 charges agree.\nAt risk: 0.00 USD.\n',
    notice: '100000 lines read\n',
  })
  const columns = { ticket: 'task_id', usd: 'cost' }
  expect(asked).toEqual([{ provider: 'vendorB', columns, from: '2026-11-01', to: '2026-12-01', bytes: 13 }])
})

test('exit code 1: differences are listed, with the sum at risk', async () => {
  const services = servicesWith(async () => DISAGREED)
  const { exitCode, result, notice } = await run(WORDS, services)
  expect({ exitCode, notice }).toEqual({ exitCode: 1, notice: '2 checks failed.\n' })
  for (const line of [
    'Charged by us, not billed by the vendor: 1, 0.70 USD at risk',
    'task_1  succeeded  0.70 USD  0.00 USD  org_1         -',
    'Billed by the vendor, not charged by us: 21, 26.25 USD at risk',
    '... and 1 more; --json lists up to 10,000.',
    'Charged above the bill: 0.20 USD. This is the margin, not at risk.',
    'Left out: 2 lines without an id or with a credit, 4.90 USD.',
    'At risk: 26.95 USD.',
  ])
    expect(result).toContain(line)
  expect(result).not.toContain('\u001b')

  const json = await run([...WORDS, '--json'], services)
  expect(json.exitCode).toBe(1)
  expect(JSON.parse(json.result)).toMatchObject({
    ...{ ok: false, provider: 'vendorB', from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' },
    charged_not_billed: {
      ...{ count: 1, at_risk_micros: 700_000 },
      rows: [
        {
          ...{ bill_id: null, id: 'task_1', organization_id: 'org_1', status: 'succeeded' },
          ...{ charged_micros: 700_000, billed_micros: 0 },
        },
      ],
    },
    billed_not_charged: { count: 21, at_risk_micros: 26_250_000 },
    different_amounts: { count: 0, at_risk_micros: 0, rows: [] },
    ...{ margin_micros: 200_000, unassigned: { lines: 2, micros: 4_900_000 }, at_risk_micros: 26_950_000 },
  })
})

const CALLED = 'reconcile bill.csv --provider vendorB'

test.each([
  ['reconcile --provider vendorB --map ticket=a,usd=b', "missing required argument 'file'"],
  ['reconcile bill.csv --map ticket=a,usd=b', "Required option '--provider <name>'"],
  [CALLED, "Required option '--map <columns>'"],
  [`${CALLED} --map ticket=a`, 'Name both columns'],
  [`${CALLED} --map usd=b`, 'Name both columns'],
  [`${CALLED} --map ticket=,usd=b`, 'Name both columns'],
  [`${CALLED} --map ticket=a,usd=`, 'Name both columns'],
  [`${CALLED} --map a,b`, 'Name both columns'],
  [`${CALLED} --map ticket=a,ticket=b`, 'Name both columns'],
  [`${CALLED} --map id=a,usd=b`, 'Name both columns'],
])('exit code 2: sluice %s', async (line, fault) => {
  const { exitCode, notice } = await run(line.split(' '), fakeServices().services)
  expect(exitCode).toBe(2)
  expect(notice.toLowerCase()).toContain(fault.toLowerCase())
})

test('columns may have any order, and commas and equals signs in their names', async () => {
  const asked: unknown[] = []
  const services = servicesWith(async ({ columns }) => {
    asked.push(columns)
    return AGREED
  })
  for (const map of ['usd=Cost, net=USD,ticket=Task', 'ticket=Task,usd=Cost, net=USD'])
    expect((await run([...WORDS.slice(0, -1), map], services)).exitCode).toBe(0)
  const columns = { ticket: 'Task', usd: 'Cost, net=USD' }
  expect(asked).toEqual([columns, columns])
})

test('on a store: 1,250,000 micros billed for an unknown task are at risk, and unusable files are refused', async () => {
  const environment = { DATA_DIR: join(folder, 'data'), SANDBOX: 'on' }
  const loadConfig = () => readConfig({ environment, readFile: () => '' })
  const services = { ...realServices, loadConfig }
  expect((await run(['migrate'], services)).exitCode).toBe(0)
  const reconcile = (path: string) => run(['reconcile', path, ...WORDS.slice(2), '--json'], services)
  const billed = await reconcile(fileOf('task_id,cost\ncgt-1,1.25\n'))
  expect({ ...billed, result: JSON.parse(billed.result) }).toMatchObject({
    ...{ exitCode: 1, notice: 'One check failed.\n' },
    result: { lines: 1, agreed: 0, at_risk_micros: 1_250_000, billed_not_charged: { count: 1 } },
  })
  expect(await reconcile(fileOf('task_id,cost\n'))).toMatchObject({ exitCode: 0 })
  for (const [path, fault] of [
    [fileOf('task_id,cost\ncgt-1,free\n'), 'Line 2: column "cost" has no amount in US dollars'],
    [fileOf('id,usd\n'), 'The file has no column "task_id". Its columns: id, usd.'],
    [join(folder, 'none.csv'), 'none.csv: there is no such file.'],
    [folder, 'it is a folder.'],
  ] as const)
    expect(await reconcile(path)).toMatchObject({ exitCode: 1, notice: expect.stringContaining(fault) })
})
