import type { Demo } from '../app/access/make-demo.ts'

/** What a person reads when the server is ready. The commands work when pasted. */
export function banner({
  version,
  url,
  engine,
  sandboxUrl,
  demo,
}: {
  version: string
  url: string
  engine: string
  sandboxUrl: string | undefined
  demo: Demo | undefined
}): string {
  const lines = [`Sluice ${version} is ready on ${url} (store: ${engine})`]
  if (sandboxUrl !== undefined)
    lines.push(`No provider is configured: sandbox vendors answer on ${sandboxUrl}`)
  lines.push(demo === undefined ? `Reference: ${url}/docs` : introduceDemo(url, demo))
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
