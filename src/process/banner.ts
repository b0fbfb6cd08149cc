import type { Demo } from '../app/access/make-demo.ts'

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
  lines.push(demo === undefined ? `Reference: ${reached}/docs` : introduceDemo(reached, demo, program))
  return `${lines.join('\n')}\n`
}

function introduceDemo(url: string, { organizationId, userId, key }: Demo, program: string): string {
  const tasks = `${url}/v1/video/generations`
  const authorization = `-H 'Authorization: Bearer ${key}'`
  return `
A demo organization (${organizationId}) and user (${userId}) were made for you.
Their API key is shown only this once; "${program} key create" makes another:

  ${key}

Paste these into a second terminal to make a video, wait for it, and keep it as clip.mp4:

  curl -s ${tasks} ${authorization} -H 'Content-Type: application/json' -d '${ORDER}' | tee task.json
  TASK=$(node -p 'require("./task.json").id'); until curl -s ${tasks}/$TASK ${authorization} | tee task.json | grep -E '"(succeeded|failed|cancelled|error)"'; do sleep 1; done
  curl -o clip.mp4 "$(node -p 'require("./task.json").content.video_url')"

Reference: ${url}/docs`
}

const ORDER = JSON.stringify({
  model: 'vendorA/gen-2.0',
  content: [{ type: 'text', text: 'A barge passes a lock at dawn' }],
})
