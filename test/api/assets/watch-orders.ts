import type { Vendor } from '../../../src/app/video/vendors.ts'
import type { VideoOrder } from '../../../src/domain/video/families/families.ts'

/** Records the orders of drivers and passes them on. */
export function watchOrders() {
  const orders: VideoOrder[] = []
  return {
    around: (vendor: Vendor): Vendor => ({
      ...vendor,
      driver: {
        ...vendor.driver,
        create(wish) {
          orders.push(wish.order)
          return vendor.driver.create(wish)
        },
      },
    }),
    count: () => orders.length,
    last: () => orders.at(-1),
    /** The media of the last order. */
    lastUrls: () => urlsIn(orders.at(-1)),
  }
}

function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^(https?|asset):\/\//.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(urlsIn) : []
}
