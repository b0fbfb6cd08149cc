import type { LossName } from '../hub/losses.ts'
import type { ToolNaming } from '../hub/tool-naming.ts'

/** What the turns of one request share. */
export interface TurnsContext {
  naming: ToolNaming
  losses: Set<LossName>
  /** Whether the assistant's reasoning goes back to where it came from. */
  replaysReasoning: boolean
}
