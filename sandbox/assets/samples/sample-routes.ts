import { noSuchMedia, serveMedia } from '../../media/serve-media.ts'
import { refuseLink } from '../../media/signed-link.ts'
import type { SandboxReply, SandboxRequest, SandboxRoute } from '../../part.ts'
import { makeSample } from './make-sample.ts'
import { readSampleName } from './sample-name.ts'

/** `/samples`: media to make assets of. `/media`: where the links of active assets lead. */
export function sampleRoutes(): SandboxRoute[] {
  return [
    { operation: 'sample', method: 'GET', path: '/samples/:name', handle: answerSample },
    { operation: 'sample', method: 'HEAD', path: '/samples/:name', handle: answerSample },
    { operation: 'media', method: 'GET', path: '/media/:name', handle: answerMedia },
    { operation: 'media', method: 'HEAD', path: '/media/:name', handle: answerMedia },
  ]
}

function answerMedia(request: SandboxRequest): SandboxReply {
  return refuseLink('media', request) ?? answerSample(request)
}

function answerSample({ params, headers }: SandboxRequest): SandboxReply {
  const sample = readSampleName(params.name ?? '')
  if (sample === undefined) return noSuchMedia('There is no such sample.')
  return serveMedia(makeSample(sample), headers.range)
}
