import { expect, test } from 'vitest'
import { eventsOf, sseOf } from '../../../../test/fixtures/text/chat/fixture.ts'
import { chunkOf } from '../../../../test/fixtures/text/chat/spell-chunks.ts'
import { foldBlocks } from '../../../../test/fixtures/text/fold-blocks.ts'
import { fc, runs } from '../../../../test/random/properties.ts'

interface Call {
  name: string
  /** Pieces of its arguments, none empty. */
  pieces: string[]
}

type Entry = (place: number, call: Call, piece: string, turn: number) => object

const called = (name: string | undefined, piece: string) => ({ name, arguments: piece })

/** Spellings of the pieces of a call, by vendor. */
const WAYS: Record<string, Entry> = {
  'by index and id': (index, { name }, piece, turn) =>
    turn === 0
      ? { index, id: `id_${index}`, function: called(name, piece) }
      : { index, function: called(undefined, piece) },
  'by index alone': (index, { name }, piece, turn) => ({
    index,
    function: called(turn === 0 ? name : undefined, piece),
  }),
  'by index, with the name in every chunk': (index, { name }, piece) => ({
    index,
    function: called(name, piece),
  }),
  'by id alone': (place, { name }, piece, turn) => ({
    id: `id_${place}`,
    function: called(turn === 0 ? name : undefined, piece),
  }),
  'all as the first': (_place, { name }, piece, turn) => ({
    index: 0,
    id: '',
    function: called(turn === 0 ? name : undefined, piece),
  }),
  'all as the first, with the name in every chunk': (_place, { name }, piece) => ({
    index: 0,
    function: called(name, piece),
  }),
  'with neither index nor id': (_place, { name }, piece, turn) => ({
    function: called(turn === 0 ? name : undefined, piece),
  }),
  'with ids that change': (index, { name }, piece, turn) => ({
    index,
    id: `id_${index}_${turn}`,
    function: called(turn === 0 ? name : undefined, piece),
  }),
}

const arbitraryCall: fc.Arbitrary<Call> = fc
  .record({
    name: fc.constantFrom('look', 'look_up', 'run'),
    tail: fc.constantFrom('', '\n', ' '),
    value: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
    size: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ name, tail, value, size }) => {
    const spelled = JSON.stringify(value) + tail
    const count = Math.ceil(spelled.length / size)
    return {
      name,
      pieces: Array.from({ length: count }, (_, turn) => spelled.slice(turn * size, (turn + 1) * size)),
    }
  })

test.each(Object.keys(WAYS))('calls spelled one after another are read unchanged: %s', (way) => {
  fc.assert(
    fc.property(fc.array(arbitraryCall, { minLength: 1, maxLength: 5 }), (calls) => {
      const chunks = calls.flatMap((call, place) =>
        call.pieces.map((piece, turn) => chunkOf({ tool_calls: [WAYS[way]?.(place, call, piece, turn)] })),
      )
      const blocks = foldBlocks(eventsOf([sseOf([...chunks, chunkOf({}, 'tool_calls')])]))
      expect(blocks.map(({ head, text }) => [head.kind === 'tool-call' && head.name, text.trim()])).toEqual(
        calls.map(({ name, pieces }) => [name, pieces.join('').trim()]),
      )
      const ids = new Set(blocks.map(({ head }) => head.kind === 'tool-call' && head.callId))
      expect(ids.size).toBe(calls.length)
    }),
    runs(300),
  )
})
