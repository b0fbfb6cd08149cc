import { expect, test } from 'vitest'
import { priceLines } from './price-lines.ts'

const ANY = { resolution: null, video_input: null, audio: null }

test('each price is shown with the matching vendor price and the margin', () => {
  const ours = [
    { ...ANY, unit: 'input_token', usd_per_million: 2.5 },
    { ...ANY, unit: 'output_token', usd_per_million: 8 },
    { ...ANY, unit: 'priority_tier', times: 2 },
  ]
  const vendors = [
    { ...ANY, unit: 'input_token', usd_per_million: 2 },
    { ...ANY, unit: 'output_token', usd_per_million: 10 },
    { ...ANY, unit: 'priority_tier', times: 1.75 },
  ]
  expect(priceLines(ours, vendors)).toEqual([
    { sold: 'input_token', ours: '$2.50 / 1M', vendors: '$2.00 / 1M', margin: 0.2 },
    { sold: 'output_token', ours: '$8.00 / 1M', vendors: '$10.00 / 1M', margin: -0.25 },
    { sold: 'priority_tier', ours: '× 2', vendors: '× 1.75', margin: undefined },
  ])
})

test('the most specific row of the vendor counts; without one the cells are empty', () => {
  const ours = [
    { ...ANY, unit: 'second', usd: 0.2 },
    { ...ANY, unit: 'second', resolution: '1080p', video_input: false, usd: 0.4 },
    { ...ANY, unit: 'second', resolution: '480p', usd: 0 },
  ]
  const vendors = [
    { ...ANY, unit: 'second', usd: 0.1 },
    { ...ANY, unit: 'second', resolution: '1080p', usd: 0.3 },
  ]
  expect(priceLines(ours, vendors)).toMatchObject([
    { sold: 'second', vendors: '$0.10', margin: 0.5 },
    { sold: 'second, 1080p, no_video_input', vendors: '$0.30', margin: 0.25 },
    { vendors: '$0.10', margin: undefined },
  ])
  expect(priceLines(ours.slice(1, 2), vendors.slice(1))[0]?.vendors).toBe('$0.30')
  expect(priceLines(ours, [])).toMatchObject([{ vendors: '', margin: undefined }, {}, {}])
})
