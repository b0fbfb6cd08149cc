import type { Demo } from '../app/access/make-demo.ts'
import { formatUsdDecimal } from '../domain/billing/usd.ts'

/** Text for a person when the server is ready. The commands work when pasted. */
export function banner(input: {
  version: string
  url: string
  /** Address for clients, if it differs. */
  publicUrl: string | undefined
  engine: string
  sandboxUrl: string | undefined
  demo: Demo | undefined
  /** Path that signs in to the console once. */
  signInPath?: string | undefined
  /** Name by which a person calls this program. */
  program: string
}): string {
  const { version, url, publicUrl, engine, sandboxUrl, demo, signInPath, program } = input
  const reached = publicUrl ?? url
  const lines = [`Sluice ${version} is ready on ${url} (store: ${engine})`]
  if (publicUrl !== undefined) lines.push(`Clients reach it at ${publicUrl}`)
  if (sandboxUrl !== undefined)
    lines.push(`No provider is configured: sandbox vendors answer on ${sandboxUrl}`)
  if (signInPath !== undefined)
    lines.push(`Console (this link signs in once, within 10 minutes):\n  ${url}${signInPath}`)
  else if (demo !== undefined)
    lines.push(
      `Console: stop with Ctrl-C, then ADMIN_API_KEY=$(openssl rand -hex 16) ${program} prints a link to it`,
    )
  lines.push(demo === undefined ? `Reference: ${reached}/docs` : introduceDemo(reached, demo, program))
  return `${lines.join('\n')}\n`
}

function introduceDemo(url: string, demo: Demo, program: string): string {
  const { organizationId, userId, key, creditMicros } = demo
  return `
A demo organization (${organizationId}) with ${formatUsdDecimal(creditMicros)} USD and a user (${userId}) were made for you.
Their API key is shown only this once; "${program} key create --org ${organizationId} --user ${userId}" makes another:

  ${key}

Paste this into a second terminal. It makes a video, waits for it, keeps it as clip.mp4, and asks for a text reply:

  KEY=${key} URL=${url}
${FIRST_CALLS.replace(/^/gm, '  ')}

Reference: ${url}/docs`
}

/** These lines are in the README too. Every POSIX shell runs them. A comment in them would be a command in zsh. */
export const FIRST_CALLS = `TASK=$(curl -s $URL/v1/video/generations -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"model":"vendorA/gen-2.0","content":[{"type":"text","text":"A barge passes a lock at dawn"}]}' | cut -d '"' -f 4)
curl -sf --retry 30 --retry-delay 1 --retry-all-errors -o clip.mp4 $URL/v1/video/generations/$TASK/content -H "Authorization: Bearer $KEY"
ls -l clip.mp4
curl -s $URL/v1/messages -H "x-api-key: $KEY" -H 'anthropic-version: 2023-06-01' -H 'Content-Type: application/json' \\
  -d '{"model":"vendorD/text-large","max_tokens":200,"messages":[{"role":"user","content":"Which way does the water go?"}]}'`
