import type { Model } from './model.ts'

/** The catalog a new store starts with; operators change it with `sluice apply`. */
export function builtInModels(createdAtMs: number): Model[] {
  return NAMES.map(([modelId, name, maxOutputTokens]) => ({
    modelId,
    name,
    endpoints: null,
    maxOutputTokens,
    createdAtMs,
  }))
}

const NAMES: readonly (readonly [modelId: number, name: string, maxOutputTokens: number | null])[] = [
  [1, 'vendorA/gen-2.0', null],
  [2, 'vendorA/gen-2.0-fast', null],
  [3, 'vendorB/gen-v4-std', null],
  [4, 'vendorB/gen-v4-fast', null],
  [5, 'vendorB/gen-v3', null],
  [6, 'vendorC/model-5.3-codex', 128_000],
  [7, 'vendorC/model-4.1', 32_768],
  [8, 'vendorC/model-4.1-mini', 32_768],
  [9, 'vendorC/model-o3', 100_000],
  [10, 'vendorC/model-o4-mini', 100_000],
  [11, 'vendorD/text-large', 64_000],
  [12, 'vendorD/text-small', 64_000],
]
