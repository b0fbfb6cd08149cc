import { ApiError } from '../../domain/api-error.ts'
import { sharesOf } from '../../domain/slot-shares.ts'

export interface BodyLimits {
  /** Limit for the bytes of all held bodies of the process. */
  bodyBytesMax: number
  bodyBytesEachMax: number
}

/** Counts the bytes of held bodies, from their announcement to the end of their response. */
export interface BodyGauge {
  readonly bytes: number
  /** Adds the bytes, or returns an error. A limit accepts a body of any size while it counts no other bytes. */
  take(holder: string, bytes: number): ApiError | undefined
  give(holder: string, bytes: number): void
}

export function createBodyGauge({ bodyBytesMax, bodyBytesEachMax }: BodyLimits): BodyGauge {
  const { reserved } = sharesOf(bodyBytesMax, 8)
  const held = new Map<string, number>()
  let total = 0

  function add(holder: string, bytes: number): void {
    const sum = (held.get(holder) ?? 0) + bytes
    total += bytes
    if (sum > 0) held.set(holder, sum)
    else held.delete(holder)
  }

  return {
    get bytes() {
      return total
    },
    take(holder, bytes) {
      const own = held.get(holder) ?? 0
      if (own > 0 && own + bytes > bodyBytesEachMax) {
        return new ApiError('rate_limit_exceeded', { message: 'Too many bytes of request bodies at once.' })
      }
      const roomBytes = own > 0 ? bodyBytesMax - reserved : bodyBytesMax
      if (total > 0 && total + bytes > roomBytes) return new ApiError('overloaded')
      add(holder, bytes)
      return undefined
    },
    give: (holder, bytes) => add(holder, -bytes),
  }
}
