import type { Micros } from '../billing/micros.ts'

/** The price a task was taken at, kept with it: what changes in the catalog later does not change it. */
export type TaskPricing =
  | { unit: 'video_token'; priceMicros: Micros; estimatedTokens: number }
  | { unit: 'second'; priceMicros: Micros; estimatedSeconds: number }
