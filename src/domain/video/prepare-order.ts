import { Refusal } from '../refusal.ts'
import { prepareFamilyAOrder } from './family-a/prepare-order.ts'
import { prepareFamilyBOrder } from './family-b/prepare-order.ts'
import { findVideoModel } from './models.ts'
import type { VideoOrder } from './order.ts'
import type { VideoRequest } from './request.ts'

/**
 * A request through the rules of its model, or a refusal: 404 for a model nobody knows, 400 for a broken rule.
 * It asks nobody and keeps `asset://` URLs, so it can run before the assets are looked up; after that,
 * run it again on `withResolvedUrls(...)` for the order a driver takes.
 */
export function prepareOrder(request: VideoRequest): VideoOrder {
  const model = findVideoModel(request.model)
  if (model === undefined) throw new Refusal('model_not_found', { param: 'model' })
  return model.family === 'a' ? prepareFamilyAOrder(request, model) : prepareFamilyBOrder(request, model)
}
