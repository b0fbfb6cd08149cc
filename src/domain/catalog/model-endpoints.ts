import { DIALECTS, TEXT_ENDPOINTS } from '@sluice/dialects/dialect-facts'

/** The text dialects of clients, and embeddings, which are not a dialect. */
export const MODEL_ENDPOINTS = [...TEXT_ENDPOINTS, 'embeddings'] as const

export type ModelEndpoint = (typeof MODEL_ENDPOINTS)[number]

export const EMBEDDINGS_PATH = '/v1/embeddings'
export const VIDEO_PATH = '/v1/video/generations'

export function isModelEndpoint(value: unknown): value is ModelEndpoint {
  return MODEL_ENDPOINTS.some((endpoint) => endpoint === value)
}

export function endpointPath(endpoint: ModelEndpoint): string {
  return endpoint === 'embeddings' ? EMBEDDINGS_PATH : DIALECTS[endpoint].path
}
