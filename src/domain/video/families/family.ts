import type { VideoUse } from '../../billing/estimate-video-cost.ts'
import type { VideoRequest } from '../request.ts'

/** Models that are asked for in the same way. A vendor's driver serves one family. */
export interface VideoFamily<Order> extends FamilyRow {
  /** By their whole names, such as `vendorA/gen-2.0`. */
  models: ReadonlyMap<string, FamilyModel<Order>>
}

/** What holds for every model of a family. */
export interface FamilyRow {
  priceUnit: VideoUse['unit']
  /** Whether its vendor reports progress to an address of ours; its callbacks then follow these notices. */
  takesNotices: boolean
  /** Whether its vendor can delete tasks. */
  canDelete: boolean
  /** Whether verified people may be shown, in reference images. */
  showsRealPeople: boolean
  /** Top-level fields of a create call that its vendor has no use for: they are not even checked. */
  unusedFields: readonly string[]
}

export interface FamilyModel<Order> {
  family: FamilyRow
  /** A request through the rules of the model. Throws the `ApiError` of the first rule that is broken. */
  prepare(request: VideoRequest): PreparedOrder<Order>
}

export interface PreparedOrder<Order> {
  order: Order
  /** What its price is chosen by. */
  use: VideoUse
}

/** A row of the table of families. The traits that tell its models apart stay between `models` and `prepare`. */
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
      const { order, use } = prepare(request, traits)
      return { order, use: { ...use, unit: row.priceUnit } }
    },
  })
  return {
    ...row,
    models: new Map(Object.entries(models).map(([name, traits]) => [name, bind(traits)])),
  }
}
