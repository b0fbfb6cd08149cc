import type { Insertable, Selectable } from 'kysely'
import { formatUsdDecimal, parseUsdMicros } from '../../../domain/billing/usd.ts'
import type { PriceRow } from '../../../domain/catalog/price-row.ts'
import type { Tables } from '../tables.ts'
import { toDecimalString } from '../users/decimal-string.ts'

type Joined = { [Column in keyof Omit<Selected, 'model_id'>]: Selected[Column] | null }
type Selected = Selectable<Tables['model_prices']>

/** undefined where there is no price, or none that can be read: the model is then refused, never free. */
export function toPriceRow({ unit, resolution, video_input, audio, price }: Joined): PriceRow | undefined {
  if (unit === null || price === null) return undefined
  const priceMicros = parseUsdMicros(toDecimalString(price))
  if (priceMicros === undefined) return undefined
  return {
    unit,
    resolution: resolution === '*' ? null : resolution,
    videoInput: toFlag(video_input),
    audio: toFlag(audio),
    priceMicros,
  }
}

export function fromPriceRow(modelId: number, row: PriceRow): Insertable<Tables['model_prices']> {
  return {
    model_id: modelId,
    unit: row.unit,
    resolution: row.resolution ?? '*',
    video_input: fromFlag(row.videoInput),
    audio: fromFlag(row.audio),
    price: formatUsdDecimal(row.priceMicros),
  }
}

function toFlag(column: '*' | 'true' | 'false' | null): boolean | null {
  return column === null || column === '*' ? null : column === 'true'
}

function fromFlag(flag: boolean | null): '*' | 'true' | 'false' {
  if (flag === null) return '*'
  return flag ? 'true' : 'false'
}
