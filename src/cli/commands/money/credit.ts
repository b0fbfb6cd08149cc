import { CREDIT } from '../../../app/views/tenants.ts'
import { type Micros, micros } from '../../../domain/billing/micros.ts'
import { parseCreditChange, parseEntry, parseNote } from '../../parse/options.ts'
import { formatUsd } from '../../present/formats.ts'
import { describeCredit } from '../../present/present-tenants.ts'
import type { Verb } from '../../verb.ts'
import { forOrganization } from '../define-verb.ts'

interface CreditAddOptions {
  org: string
  usd: Micros
  note?: string
  entry?: string
}

export const creditAdd: Verb = {
  path: 'credit add',
  summary:
    'Add a payment to the balance of an organization, or take money from it. From a prepaid balance you can take only what is not held.',
  example: 'sluice credit add --org org_019a2b3c --usd 25 --note "invoice 17"',
  next: 'sluice credit show --org <id>',
  define(command, { operate, print }) {
    command
      .requiredOption('--org <id>', 'the organization')
      .requiredOption(
        '--usd <usd>',
        'US dollars, such as 25 or 0.25; to take money write --usd=-5, with a note',
        parseCreditChange,
      )
      .option('--note <text>', 'why, kept with the entry', parseNote)
      .option('--entry <id>', 'entry id that a failed attempt named; repeating it counts once', parseEntry)
      .action(async ({ org, usd, note, entry }: CreditAddOptions) => {
        if (usd < 0 && note === undefined) command.error('say why money is taken: --note')
        await operate(async (operator) => {
          const organization = await operator.addCredit({
            organizationId: org,
            amountMicros: usd,
            note: note ?? null,
            entryId: entry,
          })
          const done = organization.isRepeat
            ? 'It was added already.'
            : usd < 0
              ? `Took ${formatUsd(micros(-usd))}.`
              : `Added ${formatUsd(usd)}.`
          print({ json: CREDIT.present(organization), text: `${done} ${describeCredit(organization)}` })
        })
      })
  },
}

export const creditShow: Verb = {
  path: 'credit show',
  summary: 'Show the balance of an organization, and what is held of it for running work.',
  example: 'sluice credit show --org org_019a2b3c',
  next: 'sluice credit add --org <id> --usd 25',
  define: forOrganization(async (operator, org) => {
    const organization = await operator.showCredit(org)
    return { json: CREDIT.present(organization), text: describeCredit(organization) }
  }),
}
