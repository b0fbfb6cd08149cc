import type { Micros } from '../../domain/billing/micros.ts'
import { parseUsdMicros } from '../../domain/billing/usd.ts'
import {
  amountNameOf,
  PRICE_UNITS,
  type PriceRow,
  type PriceUnit,
  plainResolution,
} from '../../domain/catalog/price-row.ts'
import type { ConfigFields } from '../read-fields.ts'
import type { Kind } from '../settings/kinds/kind.ts'
import { oneOf, text } from '../settings/kinds/text.ts'
import {
  type FileReading,
  readMapping,
  readMappingFields,
  refuseUnknownKeys,
  reportAt,
  type YamlSection,
} from '../yaml/mapping.ts'

const ATTRIBUTES = ['resolution', 'video_input', 'audio']
const AMOUNTS = ['usd', 'usd_per_million', 'times'] as const
const VIDEO_UNITS: readonly PriceUnit[] = ['video_token', 'second']

const resolutionText = text({ takes: 'a resolution, such as 1080p' })

/** A bare number is not a resolution that clients can request, so its price row would never apply. */
export const resolution: Kind<string> = {
  ...resolutionText,
  parse: (given) =>
    /^\d+$/.test(given)
      ? { wrong: 'is only a number', fix: `Write ${given}p if that is meant.` }
      : resolutionText.parse(given),
}

const FIELDS = {
  unit: { kind: oneOf(PRICE_UNITS), required: true, meaning: 'What is sold.' },
  resolution: { kind: resolution, meaning: 'Left out: any.' },
  video_input: { kind: oneOf(['true', 'false', '*']), meaning: 'Left out: either.' },
  audio: { kind: oneOf(['true', 'false', '*']), meaning: 'Left out: either.' },
} satisfies ConfigFields

/** Reads one item under `prices`. Returns undefined when it reported a fault. */
export function readPrice(
  value: unknown,
  path: readonly string[],
  reading: FileReading,
): PriceRow | undefined {
  const mapping = readMapping(value, path, reading)
  if (mapping === undefined) return undefined
  const section = { mapping, path, reading }
  const known = refuseUnknownKeys(mapping, { path, known: ['unit', ...ATTRIBUTES, ...AMOUNTS], reading })
  const fields = readMappingFields(FIELDS, section)
  if (fields === undefined) return undefined
  const suits = attributesSuit(fields.unit, section)
  const priceMicros = readAmount(fields.unit, section)
  if (!known || !suits || priceMicros === undefined) return undefined
  return {
    unit: fields.unit,
    resolution: toResolution(fields.resolution),
    videoInput: toFlag(fields.video_input),
    audio: toFlag(fields.audio),
    priceMicros,
  }
}

/** Text has no resolution, no video input and no sound, so a row with these attributes would never apply. */
function attributesSuit(unit: PriceUnit, { mapping, path, reading }: YamlSection): boolean {
  const unsuitable = VIDEO_UNITS.includes(unit) ? [] : ATTRIBUTES.filter((name) => mapping.has(name))
  for (const name of unsuitable) {
    reportAt([...path, name], reading, {
      wrong: `it means nothing for ${unit}`,
      fix: 'Leave it out: only videos have it.',
    })
  }
  return unsuitable.length === 0
}

/** Reads the amount under the name that the unit needs: a wrong name can mean a factor of a million. */
function readAmount(unit: PriceUnit, section: YamlSection): Micros | undefined {
  const right = amountNameOf(unit)
  const wrong = AMOUNTS.filter((name) => name !== right && section.mapping.has(name))
  for (const name of wrong) reportAt([...section.path, name], section.reading, MISTAKES[right](unit))
  if (wrong.length > 0) return undefined
  const kind = right === 'times' ? factor : usdPrice
  return readMappingFields({ [right]: { kind, required: true, meaning: '' } as const }, section)?.[right]
}

const MISTAKES = {
  usd: (unit: PriceUnit) => ({
    wrong: unit === 'second' ? 'seconds are priced one by one' : `${unit} is priced one by one`,
    fix: 'Write usd instead.',
  }),
  usd_per_million: () => ({
    wrong: 'tokens are priced by the million',
    fix: 'Write usd_per_million instead, with the price of a million tokens.',
  }),
  times: (unit: PriceUnit) => ({
    wrong: `${unit} multiplies other prices`,
    fix: 'Write times instead, such as times: 2.',
  }),
}

function toResolution(written: string | undefined): string | null {
  return written === undefined || written === '*' ? null : plainResolution(written)
}

function toFlag(written: 'true' | 'false' | '*' | undefined): boolean | null {
  return written === undefined || written === '*' ? null : written === 'true'
}

const DOLLARS_MAX = 1_000_000
const MICROS_MAX = DOLLARS_MAX * 1_000_000

/** A price in dollars, exact to the millionth. A YAML decimal may begin with its point. */
const usdPrice: Kind<Micros> = {
  takes: `US dollars from 0 to ${DOLLARS_MAX} with at most 6 decimals, such as 7 or 0.14`,
  parse(text) {
    if (text.startsWith('-')) return { wrong: 'is below 0' }
    const decimal = text.startsWith('.') ? `0${text}` : text
    if (!/^\d+(\.\d+)?$/.test(decimal)) return { wrong: 'is not a plain decimal' }
    if (/\.\d{6}\d*[1-9]/.test(decimal)) return { wrong: 'has more than 6 decimals' }
    const value = parseUsdMicros(decimal)
    if (value === undefined || value > MICROS_MAX) return { wrong: `is above ${DOLLARS_MAX}` }
    return { value }
  },
}

const FACTOR_MAX = 100

/** A factor of other prices, in millionths. */
const factor: Kind<Micros> = {
  takes: `a number from 0 to ${FACTOR_MAX} with at most 6 decimals, such as 2 or 1.75`,
  parse(text) {
    const parsed = usdPrice.parse(text)
    if ('value' in parsed && parsed.value > FACTOR_MAX * 1_000_000) return { wrong: `is above ${FACTOR_MAX}` }
    return parsed
  },
}
