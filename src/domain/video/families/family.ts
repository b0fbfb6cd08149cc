import type { VideoUse } from '../../billing/estimate-video-cost.ts'
import type { Model } from '../../catalog/model.ts'
import { checkBounds, type VideoBounds } from '../bounds.ts'
import type { VideoRequest } from '../request.ts'

/** Models with the same request format. A vendor's driver serves one family. */
export interface VideoFamily<Order> extends FamilyRow {
  /** Models by their whole names, such as `vendorA/gen-2.0`. */
  models: ReadonlyMap<string, FamilyModel<Order>>
}

export interface FamilyRow {
  priceUnit: VideoUse['unit']
  /** Whether its vendor sends notices to the gateway. Callbacks to clients then follow these notices. */
  takesNotices: boolean
  canDelete: boolean
  /** Whether verified people may be shown, in reference images. */
  showsRealPeople: boolean
  bounds?: VideoBounds
  /** Top-level fields of a create call that its vendor does not use, so they are not even checked. */
  unusedFields: readonly string[]
  /** Kinds of work for which a catalog row can have separate bounds; left out: there is one kind. */
  modes?: readonly string[]
}

export type RowTerms = Pick<Model, 'bounds' | 'watermark'>

export interface FamilyModel<Order> {
  family: FamilyRow
  /** Fields of a create call without effect, for the family or for the catalog row. */
  unusedFields: readonly string[]
  on(terms: RowTerms): FamilyModel<Order>
  /** Applies the rules of the model to a request. Throws the `ApiError` of the first broken rule. */
  prepare(request: VideoRequest): PreparedOrder<Order>
}

export interface PreparedOrder<Order> {
  order: Order
  use: VideoUse
  mode?: string
}

/** Defines a row of the table of families. Only `models` and `prepare` use `Traits`, in which the models of a family differ. */
export function defineFamily<Traits, Order>(
  input: FamilyRow & {
    models: Readonly<Record<string, Traits>>
    prepare(
      request: VideoRequest,
      traits: Traits,
    ): { order: Order; use: Omit<VideoUse, 'unit'>; mode?: string }
  },
): VideoFamily<Order> {
  const { models, prepare, ...row } = input
  const bind = (traits: Traits, { bounds, watermark = 'vendor' }: RowTerms = {}): FamilyModel<Order> => ({
    family: row,
    unusedFields: watermark === 'client' ? row.unusedFields : [...row.unusedFields, 'watermark'],
    on: (terms) => bind(traits, terms),
    prepare(request) {
      const sent = { client: request.watermark, off: false, vendor: undefined }[watermark]
      const { order, use, mode } = prepare({ ...request, watermark: sent }, traits)
      checkBounds({ ...row.bounds, ...bounds }, { request, mode })
      return { order, use: { ...use, unit: row.priceUnit }, ...(mode !== undefined && { mode }) }
    },
  })
  return { ...row, models: new Map(Object.entries(models).map(([name, traits]) => [name, bind(traits)])) }
}
