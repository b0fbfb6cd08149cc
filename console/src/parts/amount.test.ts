import { expect, test } from 'vitest'
import { budgetOf, budgetText } from './amount.ts'

test.each([null, 0, 1, 7_250_000, 999_999_999_999_999])('a budget of %s micros stays as it is', (micros) => {
  expect(budgetOf(budgetText(micros), 'wrong')).toBe(micros)
})

test('a text that is no amount is refused', () => {
  expect(() => budgetOf('many', 'wrong')).toThrow('wrong')
  expect(budgetOf(undefined, 'wrong')).toBeNull()
})
