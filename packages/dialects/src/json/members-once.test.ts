import { expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import { LIGHT_VALUES_MAX, parseJson } from './parse-json.ts'

function parsed(json: string): unknown {
  return parseJson(Buffer.from(json), { nul: 'pass', valuesMax: LIGHT_VALUES_MAX, membersOnce: true })
}

const LONG = 'a "quoted" word, '.repeat(400)

test.each([
  '{"model":"a/b","model":"a/c"}',
  '{"model":"a/b","mod\\u0065l":"a/c"}',
  '{"\\u006dodel":"a/b","n":1,"model" : "a/c"}',
  `{"model":"a/b","input":${JSON.stringify(LONG)},"model":"a/c"}`,
  `{"input":${JSON.stringify(LONG)},"model":"a/b","model":"a/c"}`,
  `{"input":${JSON.stringify(LONG)},"model":"a/b","mode\\u006c":"a/c"}`,
])('two models are refused: %.40s', (json) => {
  expect(apiErrorOf(() => parsed(json))).toMatchObject({ code: 'invalid_parameter', param: 'model' })
})

test('random objects: a duplicate member at any place is refused', () => {
  const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', '', '1', '[', ','))
  const value = fc.jsonValue({ maxDepth: 3 })
  fc.assert(
    fc.property(
      fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }),
      fc.nat(),
      value,
      fc.integer({ min: 0, max: 4 }),
      (object, place, other, depth) => {
        const json = JSON.stringify(object)
        const around = (inner: string) => '[{"in":'.repeat(depth) + inner + '}]'.repeat(depth)
        expect(parsed(around(json))).toEqual(JSON.parse(around(json)))
        const names = Object.keys(object)
        const again = JSON.stringify(names[place % names.length])
        const twice = around(`${json.slice(0, -1)},${again}:${JSON.stringify(other)}}`)
        expect(apiErrorOf(() => parsed(twice))).toMatchObject({ code: 'invalid_parameter' })
      },
    ),
    runs(500),
  )
})
