import { present } from '../../../app/views/present.ts'
import { KEY } from '../../../app/views/tenants.ts'
import { presentTime } from '../../../app/views/times.ts'
import { parseDuration } from '../../parse/options.ts'
import type { Verb } from '../../verb.ts'

const OVERLAP_MS = 24 * 3_600_000

export const keyRotate: Verb = {
  path: 'key rotate',
  usage: '<id> [--overlap <time>] [--json]',
  summary:
    'Replace a key: make a successor with the same terms, and let the old key work 24 hours more, or as long as --overlap says.',
  example: 'sluice key rotate key_019a2b3c --overlap 1h',
  next: 'give the new key to the program that used the old one before the overlap ends',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<id>', 'the key, by its id, not by its text')
      .option(
        '--overlap <time>',
        'how long the old key still works: 0, 30m, 24h or 7d; 24h when left out',
        parseDuration,
      )
      .action((id: string, { overlap }: { overlap?: number }) =>
        operate(async (operator) => {
          const { apiKey, key, old } = await operator.rotateKey({ id, overlapMs: overlap ?? OVERLAP_MS })
          print({
            json: { ...present(KEY, apiKey), key, replaces: present(KEY, old) },
            text: [
              `Made the key ${apiKey.id} in place of ${id}. Keep it now, it is not shown again:\n`,
              `  ${key}\n`,
              `The old key works until ${old.expiresAtMs === null ? '' : presentTime(old.expiresAtMs)}.`,
            ].join('\n'),
          })
        }),
      )
  },
}
