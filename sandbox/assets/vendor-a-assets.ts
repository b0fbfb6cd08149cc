import { randomBytes } from 'node:crypto'
import type { SandboxPart, SandboxRoute } from '../part.ts'
import { listAssets } from './actions/list-assets.ts'
import { answerCall, type Call } from './answer-call.ts'
import { nameAsset, readAssetId } from './asset.ts'
import { assetObject } from './asset-object.ts'
import { type AssetState, createAssetState } from './asset-state.ts'
import { CallRefused, invalidParameter, notFound } from './call-refused.ts'
import { type Fields, readProject } from './fields.ts'
import { ASSET_TYPES, type MediumType, readFileName } from './file-script.ts'
import { nameGroup, personGroup, readGroupId } from './group.ts'
import { readSampleName, SAMPLE_TYPES } from './samples/sample-name.ts'
import { sampleRoutes } from './samples/sample-routes.ts'
import { isExpired, nameSession, readToken } from './session.ts'
import { RESULTS, TOKEN_FIELD } from './verify/endings.ts'
import { verifyRoutes } from './verify/verify-routes.ts'

const VERSION = '2024-01-01'

/** Simulates the asset service of vendor A, with the page on which a person is verified. */
export function createVendorAAssets(): SandboxPart {
  const state = createAssetState()
  const actions: readonly [action: string, operation: string, work: (call: Call) => object][] = [
    ['CreateAssetGroup', 'create-group', createAssetGroup],
    ['CreateAsset', 'create-asset', (call) => createAsset(state, call)],
    ['GetAsset', 'get-asset', (call) => getAsset(state, call)],
    ['DeleteAsset', 'delete-asset', (call) => deleteAsset(state, call)],
    ['DeleteAssetGroup', 'delete-group', (call) => deleteGroup(state, call)],
    ['ListAssets', 'list-assets', (call) => listAssets(state, call)],
    ['CreateVisualValidateSession', 'create-session', createSession],
    ['GetVisualValidateResult', 'get-session-result', (call) => getSessionResult(state, call)],
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
      ...verifyRoutes(state),
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

/** A group of a person is made by a verification only. */
function createAssetGroup({ fields }: Call): object {
  fields.text('Name', { charactersMax: 64 })
  fields.choice('GroupType', ['AIGC'])
  const project = readProject(fields)
  fields.nothingElse()
  return { Id: nameGroup({ project, nonce: randomBytes(6).toString('base64url') }).id }
}

function getAsset(state: AssetState, { fields, request }: Call): object {
  const id = fields.text('Id', { charactersMax: 2_000 })
  const project = readProject(fields)
  fields.nothingElse()
  const asset = readAssetId(id)
  if (asset === undefined || asset.group.project !== project || isDeleted(state, asset))
    throw notFound('asset_id', id)
  // After a restart, an asset is listed again once it is read.
  if (state.created.get(id) === undefined) state.created.set(id, true)
  return assetObject(asset, request)
}

function deleteAsset(state: AssetState, { fields }: Call): object {
  const id = fields.text('Id', { charactersMax: 2_000 })
  const project = readProject(fields)
  fields.nothingElse()
  const asset = readAssetId(id)
  if (asset === undefined || asset.group.project !== project || isDeleted(state, asset))
    throw notFound('asset_id', id)
  state.created.delete(id)
  state.deleted.set(id, true)
  return {}
}

/** Deletes a group with its assets. The next verification of the person returns the group again. */
function deleteGroup(state: AssetState, { fields }: Call): object {
  const id = fields.text('Id', { charactersMax: 1_000 })
  const project = readProject(fields)
  fields.nothingElse()
  const group = readGroupId(id)
  if (group === undefined || group.project !== project || state.deleted.get(id))
    throw notFound('group_id', id)
  for (const assetId of state.created.ids()) {
    if (readAssetId(assetId)?.group.id !== id) continue
    state.created.delete(assetId)
    state.deleted.set(assetId, true)
  }
  state.deleted.set(id, true)
  return {}
}

function isDeleted(state: AssetState, { id, group }: { id: string; group: { id: string } }): boolean {
  return state.deleted.get(id) === true || state.deleted.get(group.id) === true
}

/** Returns the link to the phone page, which is in Chinese unless the caller changes `lng` in the link. */
function createSession({ fields, request }: Call): object {
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

/** Returns the person's group for the token of a successful check, once. */
function getSessionResult(state: AssetState, { fields, request }: Call): object {
  const token = fields.text(TOKEN_FIELD, { charactersMax: 5_000 })
  const project = readProject(fields)
  fields.nothingElse()
  const session = readToken(token)
  const ended = state.ended.get(token)
  const isKnown = session?.project === project && !isExpired(session, request.clock)
  if (!isKnown || ended === undefined || ended.isExchanged || !RESULTS[ended.ending].hasGroup) {
    throw notFound(TOKEN_FIELD, token)
  }
  state.ended.set(token, { ...ended, isExchanged: true })
  const { id } = personGroup({ project, person: ended.person })
  state.deleted.delete(id)
  return { GroupId: id }
}

/** Nothing is downloaded: the file's name decides the fate of the asset. */
function createAsset(state: AssetState, { fields, request }: Call): object {
  const groupId = fields.text('GroupId', { charactersMax: 1_000 })
  const source = readUrl(fields, 'URL')
  const type = fields.choice('AssetType', ASSET_TYPES)
  const name = fields.text('Name', { charactersMax: 64, otherwise: '' })
  const project = readProject(fields)
  fields.nothingElse()

  const group = readGroupId(groupId)
  if (group === undefined || group.project !== project || state.deleted.get(groupId))
    throw notFound('group_id', groupId)
  const { word, pace } = readFileName(fileNameOf(source), { type, groupType: group.type })
  const asset = nameAsset(
    { group, type, name, word: word ?? checkSample(source, { type, url: request.url }), pace },
    { startMs: request.clock.nowMs(), nonce: randomBytes(6).toString('base64url') },
  )
  state.created.set(asset.id, true)
  return { Id: asset.id }
}

/** The sandbox knows its own samples; any other file is accepted. */
function checkSample(
  source: URL,
  { type, url }: { type: MediumType; url: string },
): 'missing' | 'wrongtype' | undefined {
  const folder = `${url}/samples/`
  if (!source.href.startsWith(folder)) return undefined
  const sample = readSampleName(fileNameOf(source))
  if (sample === undefined) return 'missing'
  return SAMPLE_TYPES[sample.kind] === type ? undefined : 'wrongtype'
}

function fileNameOf({ pathname }: URL): string {
  const name = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const CHARACTERS_MAX = 2_048

/** Accepts plain HTTP: the sandbox's own samples use it, and so does a gateway on the same machine. */
function readUrl(fields: Fields, name: string): URL {
  const url = URL.parse(fields.text(name, { charactersMax: CHARACTERS_MAX }))
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw invalidParameter(name, 'an HTTP address')
  return url
}
