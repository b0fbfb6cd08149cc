import { type Model, splitModelName } from '../../catalog/model.ts'
import { familyA } from './a/family.ts'
import { familyB } from './b/family.ts'
import type { FamilyModel, FamilyRow, VideoFamily } from './family.ts'

export const FAMILIES = {
  a: familyA,
  b: familyB,
}

export type FamilyName = keyof typeof FAMILIES

/** An order for a driver: the request after the rules of its model, with every URL resolved. */
export type VideoOrder = OrderOf<(typeof FAMILIES)[FamilyName]>

type OrderOf<Family> = Family extends VideoFamily<infer Order> ? Order : never

export type VideoModel = FamilyModel<VideoOrder>

const MODELS: ReadonlyMap<string, VideoModel> = new Map<string, VideoModel>(
  Object.values(FAMILIES).flatMap(({ models }): [string, VideoModel][] => [...models]),
)

export const FAMILY_MODEL_NAMES: readonly string[] = [...MODELS.keys()]

export const FAMILY_PROVIDERS: ReadonlySet<string> = new Set(
  FAMILY_MODEL_NAMES.map((name) => splitModelName(name).provider),
)

/** The video model of a catalog row; undefined: the row makes no videos. */
export function videoModelOf(
  input: Pick<Model, 'name' | 'likeModel' | 'bounds' | 'watermark'>,
): VideoModel | undefined {
  const { name, likeModel, bounds, watermark } = input
  const model = MODELS.get(likeModel ?? name)
  return bounds === undefined && watermark === undefined ? model : model?.on({ bounds, watermark })
}

/** Whether the model belongs to this family, or is like one of its models. */
export function isOfFamily(family: FamilyName, model: Pick<Model, 'name' | 'likeModel'>): boolean {
  const { name, likeModel } = model
  return FAMILIES[family].models.has(likeModel ?? name)
}

/** Models of the families that match, for messages: `vendorA/gen-2.0 and vendorA/gen-2.0-fast`. */
export function namesWhere(holds: (family: FamilyRow) => boolean): string {
  const names = FAMILY_MODEL_NAMES.filter((name) => {
    const family = MODELS.get(name)?.family
    return family !== undefined && holds(family)
  })
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names)
}
