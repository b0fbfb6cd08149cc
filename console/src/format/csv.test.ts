import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('fields with quotes, commas or line breaks are quoted, and a missing value is empty', () => {
  expect(csvOf(['Name', 'Note'], [['Acme, "Ltd"', null]])).toBe('\uFEFFName,Note\r\n"Acme, ""Ltd""",\r\n')
  expect(csvOf(['a'], [['two\nlines']])).toContain('"two\nlines"')
})

test.each(['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1'])(
  'a name %j is a text in a spreadsheet, not a formula',
  (name) => {
    expect(csvOf(['Name'], [[name]])).toContain(`'${name}`)
  },
)

test('a negative number stays a number', () => {
  expect(csvOf(['Amount'], [[-0.25]])).toBe('\uFEFFAmount\r\n-0.25\r\n')
})
