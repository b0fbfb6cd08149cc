import type { ChatVariant } from '../../domain/catalog/chat-variant.ts'
import type { LossName } from '../hub/losses.ts'
import type { Part, Turn } from '../hub/text-request.ts'

/** The turns as this vendor takes instructions. Most take them as they are. */
export function arrangeInstructions(
  turns: readonly Turn[],
  wanted: ChatVariant['instructions'],
  losses: Set<LossName>,
): readonly Turn[] {
  if (wanted === 'as-sent') return turns
  if (wanted === 'system') return turns.map((turn) => (isInstruction(turn) ? asSystem(turn.parts) : turn))
  const spoken = turns.findIndex((turn) => !isInstruction(turn))
  const first = spoken === -1 ? turns : turns.slice(0, spoken)
  const later = spoken === -1 ? [] : turns.slice(spoken)
  if (later.some(isInstruction)) losses.add('instructions')
  const opening = first.length === 0 ? [] : [asSystem(first.flatMap(({ parts }) => parts))]
  return [...opening, ...later.map((turn) => (isInstruction(turn) ? asUser(turn.parts) : turn))]
}

function isInstruction({ role }: Turn): boolean {
  return role === 'system' || role === 'developer'
}

function asSystem(parts: readonly Part[]): Turn {
  return { role: 'system', parts }
}

/** Marked, so that the model can tell whose words they are. */
function asUser(parts: readonly Part[]): Turn {
  return {
    role: 'user',
    parts: parts.map((part) =>
      part.kind === 'text' && part.text !== ''
        ? { ...part, text: `<system>\n${part.text}\n</system>` }
        : part,
    ),
  }
}
