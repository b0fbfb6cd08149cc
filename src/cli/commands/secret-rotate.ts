import type { SecretRotation } from '../../app/access/rotate-secret.ts'
import { describeNeeds } from '../../app/access/secret-needs.ts'
import { counted } from '../../domain/counted.ts'
import type { Verb } from '../verb.ts'

/** Number of rows per progress line. */
const ROWS_PER_LINE = 10_000

export const secretRotate: Verb = {
  path: 'secret rotate',
  summary:
    'Change SLUICE_SECRET, with the old one in SLUICE_SECRET_PREVIOUS: write everything new under it, and encrypt again what is stored. It can be run again at any time.',
  example: 'sluice secret rotate',
  next: 'sluice doctor, which says when SLUICE_SECRET_PREVIOUS can be removed',
  define(command, { operate, print, notice }) {
    command
      .option(
        '--forget-previous',
        'end the change now, although keys that were not used since, sessions and claims stop working',
      )
      .action(({ forgetPrevious = false }: { forgetPrevious?: boolean }) =>
        operate(async (operator) => {
          const rotation = await operator.rotateSecret({
            forgetPrevious,
            onProgress({ table, rows }) {
              if (rows > 0 && rows % ROWS_PER_LINE === 0) notice(`${table}: ${rows} rows\n`)
            },
          })
          print({ json: jsonOf(rotation), text: describeRotation(rotation) })
        }),
      )
  },
}

function jsonOf({ switched, encryptedAgain, unreadable, needs, ended }: SecretRotation) {
  return {
    switched,
    encrypted_again: encryptedAgain,
    unreadable,
    ended,
    still_needed_by: needs.map(({ of, rows, untilMs, ids }) => ({
      of,
      rows,
      until: untilMs === null ? null : new Date(untilMs).toISOString(),
      ...(ids.length > 0 && { ids }),
    })),
  }
}

function describeRotation({ switched, encryptedAgain, unreadable, needs, ended }: SecretRotation): string {
  return [
    ...(switched ? ['Everything new is written under the new secret from now on.'] : []),
    `Encrypted again: ${counted(encryptedAgain, 'value')}.`,
    ...(unreadable > 0
      ? [
          `Neither secret opens ${counted(unreadable, 'value; it stays as it is', 'values; they stay as they are')}.`,
        ]
      : []),
    ended
      ? 'The change has ended: remove SLUICE_SECRET_PREVIOUS on every replica.'
      : `SLUICE_SECRET_PREVIOUS is still needed by ${describeNeeds(needs)}.`,
  ].join('\n')
}
