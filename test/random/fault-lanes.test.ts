import { describe, expect, test } from 'vitest'
import { LANES, lanesOf, minutesOf, nextRow, runInLanes } from '../../reliability/fault-lanes.ts'
import { FAULT_ROWS, type FaultRow } from '../../reliability/fault-rows.ts'

const row = (id: string, minutes: number, more: { measures?: true } = {}): FaultRow => ({
  ...{ id, minutes, what: id, files: [] },
  ...more,
})
const [long, middle, short] = [row('long', 20), row('middle', 12), row('short', 3)]
const [soak, load] = [row('soak', 30, { measures: true }), row('load', 5, { measures: true })]

const idsOf = (rows: readonly FaultRow[]) => rows.map(({ id }) => id)

describe('the row that begins next', () => {
  test('is the longest that does not measure', () => {
    expect(nextRow([soak, short, long, middle], [])).toBe(long)
    expect(nextRow([soak, short, middle], [long])).toBe(middle)
  })

  test('is none while both lanes are in use', () => {
    expect(nextRow([short], [long, middle])).toBeUndefined()
  })

  test('is a row that measures only when no other row runs', () => {
    expect(nextRow([soak, load], [short])).toBeUndefined()
    expect(nextRow([soak, load], [])).toBe(soak)
  })

  test('is none while a row measures', () => {
    expect(nextRow([short, load], [soak])).toBeUndefined()
  })
})

describe('the lanes of rows', () => {
  test('run in parallel, and rows that measure run after them', () => {
    const lanes = lanesOf([soak, short, long, load, middle])
    expect(lanes.map((lane) => lane.map(({ row, beginsAtMinute }) => [row.id, beginsAtMinute]))).toEqual([
      [
        ['long', 0],
        ['soak', 20],
        ['load', 50],
      ],
      [
        ['middle', 0],
        ['short', 12],
      ],
    ])
    expect(minutesOf([soak, short, long, load, middle])).toBe(55)
  })

  test('are empty without rows', () => {
    expect(lanesOf([])).toEqual([[], []])
    expect(minutesOf([])).toBe(0)
  })

  test('hold every row of the suite once, nothing beside a row that measures, and end within two hours', () => {
    const planned = lanesOf(FAULT_ROWS).flat()
    expect(idsOf(planned.map(({ row }) => row)).toSorted()).toEqual(idsOf(FAULT_ROWS).toSorted())
    const endOf = ({ row, beginsAtMinute }: (typeof planned)[number]) => beginsAtMinute + row.minutes
    for (const one of planned.filter(({ row }) => row.measures === true)) {
      const beside = planned.filter(
        (other) => other !== one && other.beginsAtMinute < endOf(one) && endOf(other) > one.beginsAtMinute,
      )
      expect(idsOf(beside.map(({ row }) => row)), one.row.id).toEqual([])
    }
    expect(minutesOf(FAULT_ROWS)).toBeLessThan(120)
  })

  test('are alone for every row that runs tests of the folder of measurements', () => {
    const measured = FAULT_ROWS.filter(({ files }) => files.some((file) => file.includes('/measured/')))
    expect(measured.length).toBeGreaterThan(0)
    expect(idsOf(measured.filter(({ measures }) => measures !== true))).toEqual([])
  })
})

describe('a run in lanes', () => {
  test('runs each row once, two at a time, and rows that measure alone', async () => {
    const seen: string[][] = []
    const running: FaultRow[] = []
    const rows = [soak, short, long, load, middle]
    await runInLanes(rows, async (row) => {
      running.push(row)
      seen.push(idsOf(running))
      // The longer row ends later.
      for (let turn = 0; turn < row.minutes * 10; turn += 1) await Promise.resolve()
      running.splice(running.indexOf(row), 1)
    })
    expect(seen).toEqual([['long'], ['long', 'middle'], ['long', 'short'], ['soak'], ['load']])
    expect(Math.max(...seen.map((ids) => ids.length))).toBe(LANES)
  })

  test('tells each row which rows are left, itself included', async () => {
    const reported: string[][] = []
    await runInLanes([short, soak, long], async (_row, left) => void reported.push(idsOf(left)))
    expect(reported).toEqual([['short', 'soak', 'long'], ['short', 'soak'], ['soak']])
  })

  test('rejects when a row cannot run, after the running row has ended, and begins no other', async () => {
    const ended: string[] = []
    const run = async ({ id }: FaultRow) => {
      await Promise.resolve()
      if (id === 'long') throw new Error('no vitest')
      for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
      ended.push(id)
    }
    await expect(runInLanes([long, short, middle, soak], run)).rejects.toThrow('no vitest')
    expect(ended).toEqual(['middle'])
  })
})
