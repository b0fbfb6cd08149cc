import { NotConfirmed } from '../../errors.ts'
import { oneLine } from '../../present/format-table.ts'
import type { Session } from '../../verb.ts'

export const YES_OPTION = [
  '--yes',
  'erase it without a question; needed without a terminal, unless --json is given',
] as const

export interface EraseOptions {
  yes?: boolean
  json?: boolean
}

interface ErasedSubject {
  kind: 'organization' | 'user' | 'person'
  name: string
  parts: string
}

/**
 * Returns a function that asks the person to type the id or the name, and throws `NotConfirmed` for another
 * answer. Without a terminal and without `--yes` or `--json`, `eraseGuard` itself throws.
 */
export function eraseGuard(
  id: string,
  { yes, json }: EraseOptions,
  ask: Session['ask'],
): (subject: ErasedSubject) => Promise<void> {
  if (yes === true || json === true) return async () => {}
  if (ask === undefined)
    throw new NotConfirmed(
      `Erasing ${id} cannot be undone, and there is no terminal to ask. Confirm it with --yes.`,
    )
  return async ({ kind, name, parts }) => {
    const title = name === '' ? id : `${id} (${oneLine(name)})`
    const typed = await ask(
      `This erases ${title} with ${parts}. It cannot be undone.\nType the id${name === '' ? '' : ' or the name'} of the ${kind} to erase it: `,
    )
    if (typed !== id && (name === '' || typed !== name))
      throw new NotConfirmed(`That is not its id${name === '' ? '' : ' or name'}: nothing was erased.`)
  }
}
