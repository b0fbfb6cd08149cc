import { randomUUID } from 'node:crypto'
import { taskClipLink } from '../clips/clip-link.ts'
import { clipRoutes } from '../clips/clip-routes.ts'
import { type ClipRatio, isRatio } from '../clips/picture-size.ts'
import { jsonReply, type SandboxPart, type SandboxReply, type SandboxRequest } from '../part.ts'
import { lifeOf, stepAt } from '../tasks/life.ts'
import { packId, unpackId } from '../tasks/pack-id.ts'
import { readScriptWords, type ScriptWord } from '../tasks/script-words.ts'

/** Simulates the vendor of family C. It keeps nothing: a reference holds its job. */
export function createVendorX(): SandboxPart {
  return {
    name: 'vendor-x',
    routes: [
      { operation: 'create', method: 'POST', path: '/jobs', handle: create },
      { operation: 'get', method: 'GET', path: '/jobs/:ref', handle: get },
      ...clipRoutes(),
    ],
  }
}

const PREFIX = 'job-'

type Packed = readonly [
  startMs: number,
  nonce: string,
  words: readonly ScriptWord[],
  seconds: number,
  ratio: ClipRatio,
]

function create({ headers, body, clock }: SandboxRequest): SandboxReply {
  if (headers['x-key'] === undefined) return jsonReply(401, { job: null })
  const { script, length_s: seconds = 5, frame } = JSON.parse(body.toString())
  if (typeof script !== 'string' || !Number.isInteger(seconds)) return jsonReply(422, { job: null })
  const ratio = isRatio(frame) ? frame : '16:9'
  const packed: Packed = [clock.nowMs(), randomUUID(), readScriptWords([script]), seconds, ratio]
  return jsonReply(202, { job: { ref: packId(PREFIX, packed), phase: 'waiting' } })
}

function get({ params, clock, url }: SandboxRequest): SandboxReply {
  const ref = params.ref ?? ''
  const packed = unpackId<Packed>(PREFIX, ref)
  if (packed === undefined) return jsonReply(404, { job: null })
  const [startMs, , words, videoSeconds, ratio] = packed
  const life = lifeOf({ startMs, words, videoSeconds, expiresAfterSeconds: undefined }, clock)
  const { stage } = stepAt(life, clock.nowMs())
  if (stage === 'queued') return jsonReply(200, { job: { ref, phase: 'waiting' } })
  if (stage === 'running') return jsonReply(200, { job: { ref, phase: 'rendering' } })
  if (stage !== 'succeeded') return jsonReply(200, { job: { ref, phase: 'broken' } })
  const href = taskClipLink({ id: ref, resolution: '720p', ratio, videoSeconds, words }, { url, clock })
  return jsonReply(200, { job: { ref, phase: 'ready', length_s: videoSeconds, file: { href } } })
}
