import { expect, test } from 'vitest'
import { fc } from '../../../../test/random/properties.ts'
import type { Tool } from '../canonical/request.ts'
import { ToolNaming } from './tool-naming.ts'

function tool(name: string, namespace?: string, kind: 'json' | 'text' = 'json'): Tool {
  const input = kind === 'json' ? { kind, schema: undefined, strict: undefined } : { kind, format: undefined }
  return { name, namespace, description: undefined, input }
}

test('a name that fits stays, and needs no restoring', () => {
  const naming = new ToolNaming([tool('get_weather')])
  expect(naming.nameOf(tool('get_weather'), 'json')).toBe('get_weather')
  expect(naming.restored.size).toBe(0)
})

test('a custom tool keeps its name, and is restored with text input', () => {
  const naming = new ToolNaming([tool('apply_patch', undefined, 'text')])
  expect([...naming.restored]).toEqual([
    ['apply_patch', { name: 'apply_patch', namespace: undefined, input: 'text' }],
  ])
})

test('a namespace is flattened, and changed if a tool already has the name', () => {
  const naming = new ToolNaming([tool('b', 'a'), tool('c', 'a'), tool('a__c')])
  expect(naming.nameOf(tool('b', 'a'), 'json')).toBe('a__b')
  expect(naming.nameOf(tool('a__c'), 'json')).toBe('a__c')
  const given = naming.nameOf(tool('c', 'a'), 'json')
  expect(given).toMatch(/^a__c_\w+$/)
  expect(naming.restored.get(given)).toEqual({ name: 'c', namespace: 'a', input: 'json' })
})

test('a call of a tool that is no longer offered has a name too', () => {
  const naming = new ToolNaming([])
  expect(naming.nameOf(tool('read', 'files'), 'json')).toBe('files__read')
})

test('names are the same in every request', () => {
  const name = 'x'.repeat(80)
  const given = new ToolNaming([tool(name)]).nameOf(tool(name), 'json')
  expect(new ToolNaming([tool('other'), tool(name)]).nameOf(tool(name), 'json')).toBe(given)
})

test('any tools get valid and unique names that can be restored', () => {
  const names = fc.oneof(
    fc.constantFrom('a', 'a__b', 'b', 'ä', 'ö', 'a.b'),
    fc.string({ minLength: 1, maxLength: 130 }),
  )
  const tools = fc.uniqueArray(fc.tuple(names, fc.option(names, { nil: undefined })), {
    selector: (one) => JSON.stringify(one),
    maxLength: 12,
  })
  fc.assert(
    fc.property(tools, (wanted) => {
      const naming = new ToolNaming(wanted.map(([name, namespace]) => tool(name, namespace)))
      const given = wanted.map(([name, namespace]) => naming.nameOf({ name, namespace }, 'json'))
      expect(new Set(given).size).toBe(wanted.length)
      for (const [place, name] of given.entries()) {
        expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        const own = naming.restored.get(name) ?? { name, namespace: undefined }
        expect([own.name, own.namespace]).toEqual(wanted[place])
      }
    }),
  )
})
