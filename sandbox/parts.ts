import { createVendorAAssets } from './assets/vendor-a-assets.ts'
import type { SandboxPart } from './part.ts'
import { createText } from './text/text.ts'
import { createVendorA } from './vendor-a/vendor-a.ts'
import { createVendorB } from './vendor-b/vendor-b.ts'

/** The vendors that the sandbox stands in for; each sandbox has its own. */
export const PARTS: readonly (() => SandboxPart)[] = [
  createVendorA,
  createVendorAAssets,
  createVendorB,
  createText,
]
