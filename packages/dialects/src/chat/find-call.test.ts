import { expect, test } from 'vitest'
import { type CallPiece, findCall, type KnownCall } from './find-call.ts'

const EMPTY: CallPiece = { index: undefined, id: '', name: '', arguments: undefined }

function call(members: Partial<KnownCall> & { key: string }): KnownCall & { key: string } {
  const known = { index: undefined, id: '', name: 'f', arguments: '', isWhole: false }
  return { ...known, hasWholeName: false, isEnded: false, ...members }
}

const WHOLE = { arguments: '{}', isWhole: true }

/** `new`: the piece begins a call of its own. */
test.each<
  [what: string, calls: (Partial<KnownCall> & { key: string })[], piece: Partial<CallPiece>, key: string]
>([
  ['a name and no call before it', [], { index: 0, name: 'f' }, 'new'],
  ['no name and no call before it', [], { index: 0, arguments: '{' }, 'new'],

  [
    'a known index',
    [
      { key: 'a', index: 0 },
      { key: 'b', index: 1 },
    ],
    { index: 0, arguments: '{' },
    'a',
  ],
  ['an unknown index and a name', [{ key: 'a', index: 0 }], { index: 1, name: 'g' }, 'new'],
  ['more of a name', [{ key: 'a', index: 0 }], { index: 0, name: 'oo' }, 'a'],
  [
    'more of a name and empty arguments, by its id',
    [{ key: 'a', index: 0, id: 'x', hasWholeName: true }],
    { index: 0, id: 'x', name: 'oo', arguments: '' },
    'a',
  ],
  [
    'its name again, before its arguments',
    [{ key: 'a', index: 0, hasWholeName: true }],
    { index: 0, name: 'f', arguments: '{' },
    'a',
  ],
  [
    'its name again, within its arguments',
    [{ key: 'a', index: 0, arguments: '{' }],
    { index: 0, name: 'f', arguments: '}' },
    'a',
  ],
  [
    'its name again, after its arguments, with none',
    [{ key: 'a', index: 0, ...WHOLE }],
    { index: 0, name: 'f', arguments: '' },
    'a',
  ],
  [
    'its name and id again, after its arguments',
    [{ key: 'a', index: 0, id: 'x', ...WHOLE }],
    { index: 0, id: 'x', name: 'f', arguments: '{}' },
    'a',
  ],
  ['its name at last', [{ key: 'a', index: 0, name: '', arguments: '{}' }], { index: 0, name: 'f' }, 'a'],

  ['another id and a name', [{ key: 'a', index: 0, id: 'x' }], { index: 0, id: 'y', name: 'f' }, 'new'],
  [
    'another id without a name',
    [{ key: 'a', index: 0, id: 'x' }],
    { index: 0, id: 'y', arguments: '{' },
    'a',
  ],
  ['a name after a whole call', [{ key: 'a', index: 0, ...WHOLE }], { index: 0, name: 'g' }, 'new'],
  [
    'the same name after a whole call',
    [{ key: 'a', index: 0, ...WHOLE }],
    { index: 0, name: 'f', arguments: '{}' },
    'new',
  ],
  [
    'a name after a whole call that is not the last',
    [
      { key: 'a', index: 0, ...WHOLE },
      { key: 'b', index: 1 },
    ],
    { index: 0, name: 'f', arguments: '{}' },
    'a',
  ],
  [
    'another name after a call that began with empty arguments',
    [{ key: 'a', index: 0, hasWholeName: true }],
    { index: 0, name: 'g', arguments: '' },
    'new',
  ],
  [
    'another name in the middle of arguments',
    [{ key: 'a', index: 0, hasWholeName: true, arguments: '{' }],
    { index: 0, name: 'g', arguments: '' },
    'a',
  ],
  [
    'another name by the id of a whole call',
    [{ key: 'a', index: 0, id: 'x', ...WHOLE }],
    { index: 0, id: 'x', name: 'g', arguments: '{}' },
    'new',
  ],
  [
    'the same id and name at another index',
    [{ key: 'a', index: 0, id: 'x' }],
    { index: 1, id: 'x', name: 'f' },
    'new',
  ],

  [
    'no index, its id',
    [
      { key: 'a', id: 'x' },
      { key: 'b', id: 'y' },
    ],
    { id: 'x', arguments: '{' },
    'a',
  ],
  ['no index, an unknown id', [{ key: 'a', id: 'x' }], { id: 'y', name: 'g' }, 'new'],
  [
    'neither index nor id',
    [
      { key: 'a', id: 'x' },
      { key: 'b', id: 'y' },
    ],
    { arguments: '{' },
    'b',
  ],
  ['a name alone after a whole call', [{ key: 'a', ...WHOLE }], { name: 'f', arguments: '{}' }, 'new'],
  ['another name alone', [{ key: 'a', hasWholeName: true }], { name: 'g', arguments: '' }, 'new'],

  ['an index that comes later', [{ key: 'a', id: 'x' }], { index: 0, arguments: '{' }, 'a'],
  [
    'an index that comes later, in its arguments',
    [{ key: 'a', arguments: '{' }],
    { index: 0, arguments: '}' },
    'a',
  ],
  [
    'an index that comes later, with its id and name',
    [{ key: 'a', id: 'x' }],
    { index: 0, id: 'x', name: 'f', arguments: '{' },
    'a',
  ],
  ['an index that changes', [{ key: 'a', index: 1, id: 'x' }], { index: 0, arguments: '{' }, 'a'],
  [
    'an index that changes, by its id',
    [{ key: 'a', index: 1, id: 'x' }],
    { index: 0, id: 'x', arguments: '{' },
    'a',
  ],
  [
    'an index that changes to that of an ended call',
    [
      { key: 'a', index: 0, ...WHOLE, isEnded: true },
      { key: 'b', index: 1 },
    ],
    { index: 0, arguments: '{' },
    'b',
  ],
  [
    'a blank after an ended call',
    [
      { key: 'a', index: 0, ...WHOLE, isEnded: true },
      { key: 'b', index: 1 },
    ],
    { index: 0, arguments: ' ' },
    'a',
  ],
  [
    'an unknown index and no name, when all calls have arguments',
    [{ key: 'a', index: 0, ...WHOLE }],
    { index: 1, arguments: '{' },
    'new',
  ],
  ['an unknown index and id, and no name', [{ key: 'a', index: 0 }], { index: 1, id: 'y' }, 'new'],
])('a piece with %s', (_what, calls, piece, key) => {
  const found = findCall({ ...EMPTY, ...piece }, calls.map(call))
  expect(found?.key ?? 'new').toBe(key)
})
