import { inGroup } from './in-group.ts'
import { integer } from './kinds/integer.ts'
import { oneOf } from './kinds/text.ts'

const days = integer({ min: 0, max: 36_500 })

export const RETENTION_SETTINGS = inGroup('retention', {
  REPLIES_KEPT_MINUTES: {
    kind: integer({ min: 1, max: 43_200 }),
    default: '60',
    meaning:
      'Minutes for which a reply of `POST /v1/responses` with `store: true` or `background: true` can be read and continued. It is encrypted, in Redis or else in the store.',
  },

  REPLIES_KEPT_BY_DEFAULT: {
    kind: oneOf(['on', 'off']),
    default: 'off',
    meaning:
      'Whether replies of `POST /v1/responses` are kept when the request does not say `store`, as at OpenAI. An organization can choose: `org update ID --keep-replies default` or `asked`.',
  },

  BODIES_KEPT_HOURS: {
    kind: integer({ min: 1, max: 8_760 }),
    default: '24',
    meaning:
      'Hours for which recorded requests and replies can be read, encrypted in the store. Only those of organizations with `org update ID --record-bodies errors` or `all` are recorded.',
  },

  USAGE_ROWS_KEPT_DAYS: {
    kind: days,
    default: '0',
    meaning:
      'Whole UTC days for which usage rows of text requests are kept. Reports keep sums by hour for 90 days, sums by day and the ledger without limit. `0`: no limit.',
  },

  TASKS_KEPT_DAYS: {
    kind: days,
    default: '0',
    meaning:
      'Whole UTC days for which an ended video task is kept, with its snapshots and callback attempts. Then clients get 404; its charge stays in ledger and reports. A task with an open hold or a waiting callback stays. `0`: no limit.',
  },
  CONTENT_LINKS_KEPT_DAYS: {
    kind: days,
    default: '0',
    meaning:
      'Days for which the link to the video of an ended task is kept, encrypted. Then clients get a new link of the vendor, or an empty `content`. `0`: as long as the task.',
  },
  AUDIT_ROWS_KEPT_DAYS: {
    kind: days,
    default: '0',
    meaning:
      'Days for which audit rows are kept, except those of credits and refunds, which prove ledger entries. `0`: no limit.',
  },
})
