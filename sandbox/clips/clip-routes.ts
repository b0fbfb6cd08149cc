import { readFileSync } from 'node:fs'
import { noSuchMedia, serveMedia } from '../media/serve-media.ts'
import { refuseLink } from '../media/signed-link.ts'
import type { SandboxReply, SandboxRequest, SandboxRoute } from '../part.ts'
import { readClipName } from './clip-link.ts'
import { makeMarkedClip } from './make-marked-clip.ts'

/** Routes behind the links of finished tasks. A part that has them serves clips below its own address. */
export function clipRoutes(): SandboxRoute[] {
  const path = '/clips/:name'
  return [
    { operation: 'clip', method: 'GET', path, handle: answerClip },
    { operation: 'clip', method: 'HEAD', path, handle: answerClip },
  ]
}

/** One picture stands for the last frame of every clip. */
const LAST_FRAME = {
  contentType: 'image/png',
  bytes: readFileSync(new URL('../media/landscape.png', import.meta.url)),
}

async function answerClip(request: SandboxRequest): Promise<SandboxReply> {
  const spec = readClipName(request.params.name ?? '')
  if (spec === undefined) return noSuchMedia('There is no such clip.')
  const refusal = refuseLink('clip', request)
  if (refusal !== undefined) return refusal
  if (request.params.name?.endsWith('.png')) return serveMedia(LAST_FRAME, request.headers.range)
  return serveMedia({ contentType: 'video/mp4', bytes: await makeMarkedClip(spec) }, request.headers.range)
}
