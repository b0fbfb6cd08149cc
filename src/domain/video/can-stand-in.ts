import { ApiError } from '../api-error.ts'
import { splitModelName } from '../catalog/model.ts'
import { assetReferences } from './asset-references.ts'
import type { VideoModel, VideoOrder } from './families/families.ts'
import type { FamilyRow } from './families/family.ts'
import type { VideoRequest } from './request.ts'

/**
 * Whether another model can make the order, so that the client gets the ordered video:
 *
 *   the stand-in's own rules accept the request
 *   within a family     the same kind of work: no first frame becomes a reference
 *   between families    text alone, and no option, `watermark` aside, that the stand-in's vendor ignores
 *   with assets         at the same provider only: another vendor does not store them
 */
export function canStandIn(
  request: VideoRequest,
  ordered: { family: FamilyRow; order: VideoOrder },
  { name, model }: { name: string; model: VideoModel },
): boolean {
  const order = orderFor({ ...request, model: name }, model)
  if (order === undefined || (assetReferences(request).length > 0 && !isSameProvider(request.model, name)))
    return false
  if (model.family === ordered.family) return workOf(order) === workOf(ordered.order)
  return request.items.every(({ kind, role }) => kind === 'text' && role === undefined)
    ? !asksForUnused(request, model.family)
    : false
}

function orderFor(request: VideoRequest, model: VideoModel): VideoOrder | undefined {
  try {
    return model.prepare(request).order
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function isSameProvider(one: string, other: string): boolean {
  return splitModelName(one).provider === splitModelName(other).provider
}

/** Only some families have several kinds of work. */
function workOf(order: VideoOrder): string | undefined {
  return 'work' in order ? order.work.taskType : undefined
}

function asksForUnused(
  { seed, framesPerSecond, draft, serviceTier, returnLastFrame }: VideoRequest,
  { unusedFields }: FamilyRow,
): boolean {
  const options = {
    ...{ seed, framespersecond: framesPerSecond, draft, service_tier: serviceTier },
    return_last_frame: returnLastFrame,
  }
  return Object.entries(options).some(([name, value]) => value !== undefined && unusedFields.includes(name))
}
