import { expect, test } from 'vitest'
import { memberOf, withMembers, withoutLongMembers } from './response-json.ts'

const ODD = ' { "a" : [1, {"b":2}] ,"text":"\\"b\\":3", "big":12345678901234567890 } '

test.each([
  ['a', '[1, {"b":2}]'],
  ['text', '"\\"b\\":3"'],
  ['big', '12345678901234567890'],
  ['b', undefined],
])('the value of %s is read as written', (name, value) => {
  expect(memberOf(ODD, name)).toBe(value)
})

test('members are replaced in place or appended, and the rest stays unchanged', () => {
  expect(withMembers(ODD, { a: 'null', c: '"ü"' })).toBe(
    ' { "a" : null ,"text":"\\"b\\":3", "big":12345678901234567890 ,"c":"ü"} ',
  )
  expect(withMembers('{}', { a: '1', b: '[]' })).toBe('{"a":1,"b":[]}')
  expect(withMembers(ODD, {})).toBe(ODD)
})

test('long members are left out', () => {
  expect(withoutLongMembers(ODD, 9)).toBe('{"text":"\\"b\\":3"}')
})
