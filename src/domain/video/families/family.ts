import type { VideoUse } from '../../billing/estimate-video-cost.ts'
import { checkBounds, type VideoBounds } from '../bounds.ts'
import type { VideoRequest } from '../request.ts'

/** Models with the same request format. A vendor's driver serves one family. */
export interface VideoFamily<Order> extends FamilyRow {
  /** Models by their whole names, such as `vendorA/gen-2.0`. */
  models: ReadonlyMap<string, FamilyModel<Order>>
}

/** Properties of every model of a family. */
export interface FamilyRow {
  priceUnit: VideoUse['unit']
  /** Whether its vendor reports progress to an address of ours; its callbacks then follow these notices. */
  takesNotices: boolean
  /** Whether its vendor can delete tasks. */
  canDelete: boolean
  /** Whether verified people may be shown, in reference images. */
  showsRealPeople: boolean
  /** Values that its vendor documents for all of its models. */
  bounds?: VideoBounds
  /** Top-level fields of a create call that its vendor does not use: they are not even checked. */
  unusedFields: readonly string[]
}

export interface FamilyModel<Order> {
  family: FamilyRow
  /** Applies the rules of the model to a request. Throws the `ApiError` of the first broken rule. */
  prepare(request: VideoRequest): PreparedOrder<Order>
}

export interface PreparedOrder<Order> {
  order: Order
  /** Use that decides the price. */
  use: VideoUse
}

/** Defines a row of the table of families. Only `models` and `prepare` see the traits that separate its models. */
export function defineFamily<Traits, Order>({
  models,
  prepare,
  ...row
}: FamilyRow & {
  models: Readonly<Record<string, Traits>>
  prepare(request: VideoRequest, traits: Traits): { order: Order; use: Omit<VideoUse, 'unit'> }
}): VideoFamily<Order> {
  const bind = (traits: Traits): FamilyModel<Order> => ({
    family: row,
    prepare(request) {
      checkBounds(row.bounds ?? {}, request)
      const { order, use } = prepare(request, traits)
      return { order, use: { ...use, unit: row.priceUnit } }
    },
  })
  return {
    ...row,
    models: new Map(Object.entries(models).map(([name, traits]) => [name, bind(traits)])),
  }
}
