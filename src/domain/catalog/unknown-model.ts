import { ApiError } from '../api-error.ts'
import { closestName } from '../closest-name.ts'
import { videoModelOf } from '../video/families/families.ts'
import { endpointsOf, isVideoModel } from './endpoints-of.ts'
import type { Model } from './model.ts'
import { endpointPath, type ModelEndpoint, VIDEO_PATH } from './model-endpoints.ts'

/** Longer names are not typing mistakes, and comparing them letter by letter costs time. */
const NAME_LENGTH_MAX = 128

/** Names the requested model, and the one that was most likely meant. */
export function unknownModel(name: string, offered: readonly string[]): ApiError {
  if (name.length > NAME_LENGTH_MAX) return new ApiError('model_not_found', { param: 'model' })
  const nearest = closestName(name, offered)
  const advice =
    nearest === undefined ? 'GET /v1/models lists the models you can use.' : `Did you mean ${nearest}?`
  return new ApiError('model_not_found', {
    message: `The model ${JSON.stringify(name)} does not exist or is not offered here. ${advice}`,
    param: 'model',
  })
}

export function notOfferedOn(endpoint: ModelEndpoint | 'video', model: Model): ApiError {
  const { name } = model
  const kind =
    endpoint === 'video'
      ? `The model ${name} is not a video model.`
      : `The model ${name} is not offered on POST ${endpointPath(endpoint)}.`
  return new ApiError('model_not_found', { message: `${kind} ${offerOf(model)}`, param: 'model' })
}

function offerOf(model: Model): string {
  if (isVideoModel(model)) return `It is a video model, not a text model: POST ${VIDEO_PATH} takes it.`
  const paths = endpointsOf(model).map((other) => `POST ${endpointPath(other)}`)
  return paths.length === 0 ? 'No path offers it.' : `It is offered on ${paths.join(' and ')}.`
}

/** A stand-in that makes no videos would be skipped without a message when it is needed. */
export function unusableStandIn(
  { name, standIns = [] }: Pick<Model, 'name' | 'standIns'>,
  isVideoModel: (name: string) => boolean,
): ApiError | undefined {
  if (standIns.length === 0) return undefined
  const wrong = [name, ...standIns].find((each) => !isVideoModel(each))
  if (wrong === undefined) return undefined
  const message =
    wrong === name
      ? `${name} makes no videos: it can have no stand-ins. Text models have fallbacks.`
      : `The stand-in ${wrong} of ${name} is not a video model of the catalog. Correct it, or list that model too.`
  return new ApiError('invalid_parameter', { message, param: 'stand_ins' })
}

/** Bounds and watermarks need a video model, and a watermark a vendor with an option for it. */
export function unusableVideoTerms(model: Model): ApiError | undefined {
  const { name, bounds, watermark } = model
  if (bounds === undefined && watermark === undefined) return undefined
  const family = videoModelOf(model)?.family
  const param = bounds === undefined ? 'watermark' : 'bounds'
  if (family === undefined)
    return new ApiError('invalid_parameter', {
      param,
      message: `${name} makes no videos: it has no ${param}.`,
    })
  if (watermark === undefined || !family.unusedFields.includes('watermark')) return undefined
  const message = `The vendor of ${name} has no option for a watermark. Leave it out.`
  return new ApiError('invalid_parameter', { param: 'watermark', message })
}

/** An unknown fallback would be skipped without a message when it is needed. */
export function unknownFallback(
  { name, fallbacks = [] }: { name: string; fallbacks?: readonly string[] | undefined },
  isKnown: (name: string) => boolean,
): ApiError | undefined {
  const unknown = fallbacks.find((fallback) => !isKnown(fallback))
  if (unknown === undefined) return undefined
  return new ApiError('invalid_parameter', {
    message: `The fallback ${unknown} of ${name} is not a model of the catalog. Correct it, or list that model too.`,
    param: 'fallbacks',
  })
}
