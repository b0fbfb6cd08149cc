import { randomBytes } from 'node:crypto'
import type { Call } from '../answer-call.ts'
import { nameAsset } from '../asset.ts'
import type { AssetDesk } from '../asset-desk.ts'
import { notFound } from '../call-refused.ts'
import { ASSET_TYPES, type AssetType, readFileName } from '../file-script.ts'
import { readGroupId } from '../group.ts'
import { readSampleName, SAMPLE_TYPES } from '../samples/sample-name.ts'
import { readProject } from './read-project.ts'
import { readUrl } from './read-url.ts'

/** Nothing is downloaded: the file's name decides what becomes of the asset. */
export function createAsset(desk: AssetDesk, { fields, request }: Call): object {
  const groupId = fields.text('GroupId', { charactersMax: 1_000 })
  const source = readUrl(fields, 'URL')
  const type = fields.choice('AssetType', ASSET_TYPES)
  const name = fields.text('Name', { charactersMax: 64, otherwise: '' })
  const project = readProject(fields)
  fields.nothingElse()

  const group = readGroupId(groupId)
  if (group === undefined || group.project !== project) throw notFound('group_id', groupId)
  const { word, pace } = readFileName(fileNameOf(source), { type, groupType: group.type })
  const asset = nameAsset(
    { group, type, name, word: word ?? checkSample(source, { type, url: request.url }), pace },
    { startMs: request.clock.nowMs(), nonce: randomBytes(6).toString('base64url') },
  )
  desk.created.set(asset.id, true)
  return { Id: asset.id }
}

/** The sandbox knows its own samples; any other file is taken on trust. */
function checkSample(
  source: URL,
  { type, url }: { type: AssetType; url: string },
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
