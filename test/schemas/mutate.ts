import { fc } from '../random/properties.ts'

/** A change to one place of a value: a member is dropped, replaced, padded, renamed, added or repeated. */
export interface Mutation {
  /** Path to the place: each step is the number of a member, modulo the number of members. */
  steps: number[]
  act: (typeof ACTS)[number]
  value: unknown
}

const ACTS = ['drop', 'replace', 'blank', 'upper', 'add', 'repeat'] as const

/** Values that parsers often read differently. */
export const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 1.5, 4, 5, 101, 2 ** 53, -(2 ** 53), 1e300],
  ...[
    '',
    ' ',
    '0',
    '5',
    ' 5 ',
    '007',
    '-1',
    '+1',
    '1e3',
    'true',
    'null',
    'a',
    'a/b',
    'text',
    'tool',
    'custom',
  ],
  ...['function', 'image', 'url', 'message', 'enabled', 'disabled', 'auto', '16:9', ' 16:9 ', 'en', 'active'],
  ...[
    'active,failed',
    'active, failed ',
    ',',
    '\0',
    'https://a.example/b',
    ' https://a.example/b ',
    'http://a.example/',
  ],
  ...['https:/a', 'asset://a', ' asset://a', 'asset://', 'data:,x', 'DATA:,x', 'x'.repeat(200)],
  ...[[], [null], [1], ['a'], [{}], [{ type: 'text', text: 'a' }], [{ type: 'text' }]],
  ...[{}, { a: 1 }, { type: 'text' }, { type: 'text', text: 'a' }, { type: 'image_url', image_url: {} }],
  ...[{ url: 'https://a.example/b' }, { role: 'user', content: 'a' }, { id: 'a' }, { name: 'a' }],
]

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  steps: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 5 }),
  act: fc.constantFrom(...ACTS),
  value: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...ODD_VALUES) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  ),
})

export function mutate(value: unknown, { steps, act, value: odd }: Mutation): unknown {
  const [step = 0, ...inner] = steps
  if (typeof value !== 'object' || value === null) return act === 'replace' ? odd : value
  const entries = Object.entries(value)
  if (act === 'add' && inner.length === 0) return rebuilt(value, [...entries, ['x_new', odd]])
  const at = entries.length === 0 ? -1 : step % entries.length
  const changed = entries.flatMap(([name, member], index) =>
    index === at ? changedMember(name, member, { steps: inner, act, value: odd }) : [[name, member] as const],
  )
  return rebuilt(value, changed)
}

type Entry = readonly [name: string, member: unknown]

function changedMember(name: string, member: unknown, change: Mutation): Entry[] {
  const isInside = change.steps.length > 0 && typeof member === 'object' && member !== null
  if (isInside) return [[name, mutate(member, change)]]
  switch (change.act) {
    case 'drop':
      return []
    case 'blank':
      return [[name, typeof member === 'string' ? ` \t${member}\n` : member]]
    case 'upper':
      return [[name.toUpperCase(), member]]
    case 'repeat':
      return [[name, [member, member]]]
    default:
      return [[name, change.value]]
  }
}

function rebuilt(value: object, entries: readonly Entry[]): unknown {
  if (!Array.isArray(value)) return Object.fromEntries(entries)
  return entries.map(([, member]) => member)
}
