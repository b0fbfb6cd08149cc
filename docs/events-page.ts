import { EVENT_TYPES } from '../src/domain/events/event.ts'

const TIME = '2026-11-18T09:00:00.000Z'

/** Written from the table of types. */
export function eventsPage(): string {
  const rows = Object.entries(EVENT_TYPES).map(
    ([type, { isForCustomers, when }]) =>
      `| \`${type}\` | ${isForCustomers ? 'operators, organization' : 'operators'} | ${when} |`,
  )
  const examples = Object.entries(EVENT_TYPES).map(([type, { example }]) =>
    JSON.stringify({ type, timestamp: TIME, data: example }),
  )
  return `# Events

For operators and their customers who want to know of something without asking: set a receiver, run the test, then check signatures.

1. **Operators** set \`EVENTS_URL\` (HTTPS) and \`EVENTS_SECRET\` (\`whsec_\` and the output of \`openssl rand -base64 32\`), and restart.
   A customer's address is \`sluice org update ID --events-url URL\`; its messages are signed with the secret of its callbacks.
2. \`sluice events test\` (with \`--org ID\` for a customer) sends \`event.test\`. \`sluice events list\` shows what the receiver answered.
3. The receiver checks the signature as it does for [callbacks](callbacks.md): the headers are those of Standard Webhooks, and \`webhook-id\` is equal in
   every attempt. It answers 2xx within 10 seconds.

Any other answer is followed by another attempt after 1 s, 3 s, 10 s, 1 min, 5 min and 30 min, then every hour until a day has passed. 410 ends it.
\`sluice events resend ID\` begins again. The store keeps events that have ended for 30 days.
Each cause is one event, for all requests and replicas that meet it. Without \`EVENTS_URL\` the events of operators are listed and not sent.

| Type | Goes to | When |
|---|---|---|
${rows.join('\n')}

## Bodies

\`\`\`json
${examples.join('\n')}
\`\`\`
`
}
