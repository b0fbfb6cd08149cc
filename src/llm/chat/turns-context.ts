import type { LossName } from '../hub/losses.ts'
import type { ToolNaming } from '../hub/tool-naming.ts'

/** What the turns of one request share. */
export interface TurnsContext {
  naming: ToolNaming
  losses: Set<LossName>
  /** The provider that is sent the reasoning of earlier turns, whoever thought it; undefined: it does not want it. */
  replaysTo: string | undefined
}
