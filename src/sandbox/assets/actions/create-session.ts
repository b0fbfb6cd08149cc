import { randomBytes } from 'node:crypto'
import type { Call } from '../answer-call.ts'
import { nameSession } from '../session.ts'
import { TOKEN_FIELD } from '../verify/endings.ts'
import { readProject } from './read-project.ts'
import { readUrl } from './read-url.ts'

/** The link to the phone page. It is in Chinese until somebody changes its `lng`. */
export function createSession({ fields, request }: Call): object {
  const { href: callbackUrl } = readUrl(fields, 'CallbackURL')
  const project = readProject(fields)
  fields.nothingElse()
  const { token } = nameSession(
    { callbackUrl, project },
    { startMs: request.clock.nowMs(), nonce: randomBytes(12).toString('base64url') },
  )
  return {
    [TOKEN_FIELD]: token,
    H5Link: `${request.url}/verify?${new URLSearchParams({ token, lng: 'zh' })}`,
    CallbackURL: callbackUrl,
  }
}
