import { CONTROL_ROUTES } from './control/routes.ts'
import { jsonReply, type SandboxPart, type SandboxReply } from './part.ts'

/** Says what this server is to somebody who came across its port. */
export function indexPage(parts: readonly SandboxPart[]): SandboxReply {
  return jsonReply(200, {
    what: 'The Sluice sandbox: stand-ins for the vendors, so that every ending can be tried without an account.',
    documentation: 'docs/sandbox.md',
    control: CONTROL_ROUTES.map(({ method, path, summary }) => ({ method, path, summary })),
    parts: parts.map(({ name, routes }) => ({
      name,
      operations: routes.map(({ operation, method, path }) => ({
        operation,
        method,
        path: `/${name}${path}`,
      })),
    })),
  })
}
