import type { ChatVariant } from '../../domain/catalog/chat-variant.ts'
import type { LossName } from '../hub/losses.ts'
import type { ToolNaming } from '../hub/tool-naming.ts'

/** What the turns of one request share. */
export interface TurnsContext {
  naming: ToolNaming
  losses: Set<LossName>
  /** Who is asked: what it sealed goes back to it. */
  provider: string
  chat: ChatVariant
}
