import type { Verb } from '../../verb.ts'

export const orgSecret: Verb = {
  path: 'org secret',
  usage: '<id> [--rotate] [--json]',
  summary: 'Show the secret that signs the callbacks of an organization, or replace it.',
  example: 'sluice org secret org_019a2b3c --rotate',
  next: 'give it to the people who receive the callbacks; after --rotate they have 24 hours',
  json: true,
  define(command, { operate, print }) {
    command
      .argument('<id>', 'the organization')
      .option('--rotate', 'make a new one; the old one stays valid for 24 hours more')
      .action((id: string, { rotate }: { rotate?: true }) =>
        operate(async (operator) => {
          const webhookSecret = rotate
            ? await operator.rotateWebhookSecret(id)
            : await operator.showWebhookSecret(id)
          print({ json: { id, webhook_secret: webhookSecret }, text: webhookSecret })
        }),
      )
  },
}
