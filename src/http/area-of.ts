import type { FastifyRequest } from 'fastify'
import { areaOfPath } from './area-of-path.ts'
import type { Area } from './operation.ts'

/** The envelope a request is answered in: its path's own, or the one its address points to. */
export function areaOf(request: FastifyRequest): Area {
  return request.routeOptions.config?.area ?? areaOfPath(request.raw.url ?? '')
}
