import { expect, test } from 'vitest'
import { apiErrorOf } from '../../../../test/api-error-of.ts'
import { fc, runs } from '../../../../test/random/properties.ts'
import { replaceModel } from './replace-model.ts'

function replaced(json: string, model = 'x'): string {
  return replaceModel(Buffer.from(json), model).toString('utf8')
}

/** Longer than the beginning that is walked before the rest is searched. */
const LONG = 'a "quoted" word, '.repeat(400)

test.each([
  ['{"model":"a/b","n":1}', '{"model":"x","n":1}'],
  ['{"n":1,"model":"a/b"}', '{"n":1,"model":"x"}'],
  [' {\n\t"model" : "a/b" ,\r\n "n" : 1.0 } ', ' {\n\t"model" : "x" ,\r\n "n" : 1.0 } '],
  ['{"mod\\u0065l":"a/b"}', '{"mod\\u0065l":"x"}'],
  [
    '{"n":1,"\\u006dODEL":1,"\\u006D\\u006f\\u0064\\u0065\\u006C":"a"}',
    '{"n":1,"\\u006dODEL":1,"\\u006D\\u006f\\u0064\\u0065\\u006C":"x"}',
  ],
  ['{"a":{"model":"in"},"model":"a/b"}', '{"a":{"model":"in"},"model":"x"}'],
  ['{"model":"a/b","a":[{"model":"in"}],"b":"model"}', '{"model":"x","a":[{"model":"in"}],"b":"model"}'],
  ['{"a":["model","model"],"model":"a/b"}', '{"a":["model","model"],"model":"x"}'],
  ['{"a":"\\"model\\":\\"no\\"","model":"a/b"}', '{"a":"\\"model\\":\\"no\\"","model":"x"}'],
  ['{"a":"say \\"model","model":"a/b"}', '{"a":"say \\"model","model":"x"}'],
  ['{"say \\"model":"a","model":"a/b"}', '{"say \\"model":"a","model":"x"}'],
  ['{"a":"\\\\","model":"a/b"}', '{"a":"\\\\","model":"x"}'],
  ['{"2":1,"1":12345678901234567890,"model":"a/b"}', '{"2":1,"1":12345678901234567890,"model":"x"}'],
  ['{"é":"日本 🌊","model":"a/b","z":"é"}', '{"é":"日本 🌊","model":"x","z":"é"}'],
  ['{"model":{"is":["odd"]},"n":null}', '{"model":"x","n":null}'],
  ['{"model":null}', '{"model":"x"}'],
  ['{"model":"mod\\"el\\\\"}', '{"model":"x"}'],
])('%s', (json, expected) => {
  expect(replaced(json)).toBe(expected)
})

test.each([0, 1, 2])('the model is replaced after long strings, in spelling %i', (way) => {
  const name = ['"model"', '"m\\u006fdel"', '"model" '][way] ?? ''
  const json = `{"input":${JSON.stringify(LONG)},"tools":[{"model":{"model":"in"}}],${name}:"a/b","n":1}`
  expect(replaced(json)).toBe(json.replace('"a/b"', '"x"'))
})

test('the model is replaced where its value crosses the end of the first searched part', () => {
  for (let blank = 1_990; blank < 2_070; blank += 1) {
    const json = `{"a":"${'.'.repeat(blank)}","model":"vendorC/model-4.1","n":{"model":1}}`
    expect(replaced(json)).toBe(json.replace('"vendorC/model-4.1"', '"x"'))
  }
})

test('a similar name that crosses the end of the first searched part is not the model', () => {
  for (let blank = 2_000; blank < 2_060; blank += 1) {
    const json = `{"a":"${'.'.repeat(blank)}","mo\\u0064el\\u0065d":1,"model":"a/b"}`
    expect(replaced(json)).toBe(json.replace('"a/b"', '"x"'))
  }
})

test('the new name is spelled as JSON', () => {
  expect(replaced('{"model":"a/b"}', 'a"b\\\n')).toBe('{"model":"a\\"b\\\\\\n"}')
})

test.each(['{}', '{"models":"a"}', '{"a":{"model":"a/b"}}', '{"a":"model"}'])('no model: %s', (json) => {
  expect(apiErrorOf(() => replaced(json))).toMatchObject({ code: 'missing_parameter', param: 'model' })
})

test('many duplicate members are walked once', () => {
  const json = `{"a":{${Array.from({ length: 100_000 }, () => '"model":1').join(',')}},"model":"a/b"}`
  expect(replaced(json).endsWith('1},"model":"x"}')).toBe(true)
})

test('random objects keep their bytes except the one value', () => {
  const key = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('model"', '"model', 'mode', '\\'))
  const value = fc.jsonValue({ maxDepth: 3 })
  const members = fc.array(fc.tuple(key, value), { maxLength: 6 })
  const indent = fc.constantFrom(undefined, 1, '\t')
  fc.assert(
    fc.property(members, members, value, fc.boolean(), indent, (before, after, nested, isLong, space) => {
      const object: Record<string, unknown> = { ...Object.fromEntries(before), nested: { model: nested } }
      delete object.model
      if (isLong) object.long = LONG
      object.model = 'MARK'
      for (const [name, member] of after) if (!(name in object)) object[name] = member
      const json = JSON.stringify(object, undefined, space)
      const spelled = json.split('"MARK"')
      if (spelled.length !== 2) return
      expect(replaced(json, 'new/name')).toBe(spelled.join('"new/name"'))
    }),
    runs(300),
  )
})
