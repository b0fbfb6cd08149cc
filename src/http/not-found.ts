import { Refusal } from '../domain/refusal.ts'

/** Paths that clients of other gateways try first. */
const TAKEN_FOR_OURS: readonly { path: RegExp; message: string }[] = [
  {
    path: /^\/(v1\/)?chat\/completions\/?(\?|$)/,
    message:
      'Chat completions are not offered here. Use POST /v1/messages or POST /v1/responses: every text model answers on one of them, also models whose provider speaks chat completions.',
  },
]

export function notFound(url: string): Refusal {
  const message = TAKEN_FOR_OURS.find(({ path }) => path.test(url))?.message
  return new Refusal('not_found', message === undefined ? {} : { message })
}
