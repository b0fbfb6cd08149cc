import { integer } from './kinds/integer.ts'
import { oneOf } from './kinds/text.ts'

const days = integer({ min: 0, max: 36_500 })

/** A part of `SETTINGS`: retention of rows. */
export const RETENTION_SETTINGS = {
  REPLIES_KEPT_MINUTES: {
    group: 'retention' as const,
    kind: integer({ min: 1, max: 43_200 }),
    default: '60',
    meaning:
      'For how many minutes a reply of `POST /v1/responses` with `store: true` or `background: true` can be read again and be continued from. It is kept encrypted, in Redis or else in the store.',
  },

  REPLIES_KEPT_BY_DEFAULT: {
    group: 'retention' as const,
    kind: oneOf(['on', 'off']),
    default: 'off',
    meaning:
      'Whether a reply of `POST /v1/responses` is kept also when its request does not say `store`, as at OpenAI. `off`: only with `store: true`. An organization can have its own choice: `org update ID --keep-replies default` or `asked`.',
  },

  USAGE_ROWS_KEPT_DAYS: {
    group: 'retention' as const,
    kind: days,
    default: '0',
    meaning:
      'For how many days each text request has its own usage row, in whole days of UTC. Reports go on without them: sums by hour are kept for 90 days, sums by day and the ledger without limit. `0`: rows are kept without limit.',
  },

  TASKS_KEPT_DAYS: {
    group: 'retention' as const,
    kind: days,
    default: '0',
    meaning:
      'For how many days after its end a video task is kept, with its snapshots and callback attempts, in whole days of UTC. Then clients get 404 for it; its charge stays in the ledger and in the reports. A task whose hold is open or whose callback waits stays. `0`: without limit.',
  },
  CONTENT_LINKS_KEPT_DAYS: {
    group: 'retention' as const,
    kind: days,
    default: '0',
    meaning:
      'For how many days after its end the link to the video of a task is kept, encrypted. Without it a client that reads the task gets the link that the vendor gives then, or an empty `content`. `0`: as long as the task.',
  },
  AUDIT_ROWS_KEPT_DAYS: {
    group: 'retention' as const,
    kind: days,
    default: '0',
    meaning:
      'For how many days rows of the audit log are kept. Those of credits and refunds stay, because they prove entries of the ledger. `0`: without limit.',
  },
}
