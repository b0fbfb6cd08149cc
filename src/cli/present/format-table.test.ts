import { expect, test } from 'vitest'
import { formatTable } from './format-table.ts'

test('columns are as wide as their widest cell', () => {
  const rows = [
    { ID: 'a', NAME: 'Long name', X: '1' },
    { ID: 'bbbb', NAME: 'ü💧', X: '' },
  ]
  expect(formatTable(rows, { none: '' })).toBe('ID    NAME       X\na     Long name  1\nbbbb  ü💧')
})

test('a name cannot steer the terminal or break the table', () => {
  const table = formatTable([{ NAME: 'a\u001b[2J\nb\u202ec\u2028d' }], { none: '' })
  expect(table).toBe('NAME\na[2Jbcd')
})

test('a table without rows shows the sentence for that case', () => {
  expect(formatTable([], { none: 'Nothing yet.' })).toBe('Nothing yet.')
})
