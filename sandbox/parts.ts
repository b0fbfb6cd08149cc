import { createVendorAAssets } from './assets/vendor-a-assets.ts'
import type { SandboxPart } from './part.ts'
import { createText } from './text/text.ts'
import { createVendorA } from './vendor-a/vendor-a.ts'
import { createVendorB } from './vendor-b/vendor-b.ts'

/** Functions that make the simulated vendors; each sandbox makes its own. */
export const PARTS: readonly (() => SandboxPart)[] = [
  createVendorA,
  createVendorAAssets,
  createVendorB,
  createText,
]
