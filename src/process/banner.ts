import type { Demo } from '../app/access/make-demo.ts'

/** What a person reads when the server is ready. The commands work when pasted. */
export function banner({
  version,
  url,
  publicUrl,
  engine,
  sandboxUrl,
  demo,
}: {
  version: string
  /** Where it listens. */
  url: string
  /** Where clients find it, if that is elsewhere. */
  publicUrl: string | undefined
  engine: string
  sandboxUrl: string | undefined
  demo: Demo | undefined
}): string {
  const reached = publicUrl ?? url
  const lines = [`Sluice ${version} is ready on ${url} (store: ${engine})`]
  if (publicUrl !== undefined) lines.push(`Clients reach it at ${publicUrl}`)
  if (sandboxUrl !== undefined)
    lines.push(`No provider is configured: sandbox vendors answer on ${sandboxUrl}`)
  lines.push(demo === undefined ? `Reference: ${reached}/docs` : introduceDemo(reached, demo))
  return `${lines.join('\n')}\n`
}

function introduceDemo(url: string, { organizationId, userId, key }: Demo): string {
  return `
A demo organization (${organizationId}) and user (${userId}) were made for you.
Their API key is shown only this once; "npx sluice key create" makes another:

  ${key}

Paste one of these into a second terminal:

  curl ${url}/v1/models -H 'Authorization: Bearer ${key}'
  curl ${url}/v1/video/generations -H 'Authorization: Bearer ${key}'
  curl ${url}/openapi.json

Reference: ${url}/docs`
}
