import type { PricedModel } from './model.ts'

/** Returns the model with the prices in force at a moment: planned prices replace the others when they are due. */
export function pricedAt(model: PricedModel, atMs: number): PricedModel {
  const { nextPrices, ...row } = model
  return nextPrices === undefined || atMs < nextPrices.fromMs ? model : { ...row, prices: nextPrices.prices }
}
