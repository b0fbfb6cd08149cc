import { describe, expect, it } from 'vitest'
import { readPicture } from '../../../test/api/sandbox/read-picture.ts'
import { fc } from '../../../test/random/properties.ts'
import { type Colour, encodeChange, encodeKeyPicture } from './encode-picture.ts'

const sample = fc.integer({ min: 0, max: 255 })
const colour: fc.Arbitrary<Colour> = fc.oneof(
  fc.constant<Colour>([16, 128, 128]),
  fc.tuple(sample, sample, sample),
)
const COLUMNS = 5
const mosaic = fc.array(colour, { minLength: 20, maxLength: 20 })
const BLANK: readonly Colour[] = Array.from({ length: 20 }, () => [0, 0, 0])

describe('a key picture', () => {
  it('is read back as it was painted', () => {
    fc.assert(
      fc.property(mosaic, fc.constantFrom(0, 1), (blocks, keyNumber) => {
        const unit = encodeKeyPicture({ columns: COLUMNS, blocks }, keyNumber)
        const read = readPicture(unit, { columns: COLUMNS, before: BLANK })
        expect(read).toEqual({ blocks, pictureNumber: 0, keyNumber })
      }),
    )
  })

  it('never holds a start code', () => {
    fc.assert(
      fc.property(mosaic, (blocks) => {
        const unit = encodeKeyPicture({ columns: COLUMNS, blocks }, 0).toString('hex')
        expect(unit).not.toMatch(/^(..)*000000|^(..)*000001|^(..)*000002/)
      }),
    )
  })
})

describe('a change', () => {
  it('turns the picture before into the one that was painted', () => {
    fc.assert(
      fc.property(mosaic, mosaic, fc.integer({ min: 1, max: 300 }), (before, blocks, number) => {
        const changed = [...blocks.keys()].filter((at) => String(blocks[at]) !== String(before[at]))
        const unit = encodeChange({ columns: COLUMNS, blocks }, { changed, number })
        const read = readPicture(unit, { columns: COLUMNS, before })
        expect(read).toEqual({ blocks, pictureNumber: number % 256, keyNumber: undefined })
      }),
    )
  })

  it('of nothing is a few bytes', () => {
    const unit = encodeChange({ columns: COLUMNS, blocks: BLANK }, { changed: [], number: 1 })
    expect(unit.length).toBeLessThan(8)
    expect(readPicture(unit, { columns: COLUMNS, before: BLANK }).blocks).toEqual(BLANK)
  })
})
