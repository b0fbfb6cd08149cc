import type { SandboxPart, SandboxRoute } from '../part.ts'
import { createAsset } from './actions/create-asset.ts'
import { createAssetGroup } from './actions/create-asset-group.ts'
import { createSession } from './actions/create-session.ts'
import { getAsset } from './actions/get-asset.ts'
import { getSessionResult } from './actions/get-session-result.ts'
import { listAssets } from './actions/list-assets.ts'
import { answerCall, type Call } from './answer-call.ts'
import { createAssetDesk } from './asset-desk.ts'
import { CallRefused } from './call-refused.ts'
import { sampleRoutes } from './samples/sample-routes.ts'
import { verifyRoutes } from './verify/verify-routes.ts'

const VERSION = '2024-01-01'

/** The stand-in for the asset service of vendor A, with the page on which a person is verified. */
export function createVendorAAssets(): SandboxPart {
  const desk = createAssetDesk()
  const actions: readonly [action: string, operation: string, work: (call: Call) => object][] = [
    ['CreateAssetGroup', 'create-group', createAssetGroup],
    ['CreateAsset', 'create-asset', (call) => createAsset(desk, call)],
    ['GetAsset', 'get-asset', (call) => getAsset(desk, call)],
    ['ListAssets', 'list-assets', (call) => listAssets(desk, call)],
    ['CreateVisualValidateSession', 'create-session', createSession],
    ['GetVisualValidateResult', 'get-session-result', (call) => getSessionResult(desk, call)],
  ]
  return {
    name: 'vendor-a-assets',
    routes: [
      ...actions.map(
        ([Action, operation, work]): SandboxRoute => ({
          operation,
          method: 'POST',
          path: '/',
          query: { Action, Version: VERSION },
          handle: (request) => answerCall(request, work),
        }),
      ),
      {
        operation: 'unknown-action',
        method: 'POST',
        path: '/',
        handle: (request) => answerCall(request, refuse),
      },
      ...verifyRoutes(desk),
      ...sampleRoutes(),
    ],
  }
}

function refuse({ request: { query } }: Call): never {
  const what = `${query.get('Action') ?? ''} ${query.get('Version') ?? ''}`.slice(0, 80)
  throw new CallRefused({
    status: 400,
    code: 'InvalidActionOrVersion',
    message: `There is no action ${JSON.stringify(what)}.`,
  })
}
