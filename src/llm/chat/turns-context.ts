import type { LossName } from '../hub/losses.ts'
import type { ToolNaming } from '../hub/tool-naming.ts'

/** What the turns of one request share. */
export interface TurnsContext {
  naming: ToolNaming
  losses: Set<LossName>
  /** Whether the reasoning of earlier turns is sent, whoever thought it. */
  replaysReasoning: boolean
}
