import { randomBytes } from 'node:crypto'
import type { Call } from '../answer-call.ts'
import { nameGroup } from '../group.ts'
import { readProject } from './read-project.ts'

/** A group of a person is made by a verification only. */
export function createAssetGroup({ fields }: Call): object {
  fields.text('Name', { charactersMax: 64 })
  fields.choice('GroupType', ['AIGC'])
  const project = readProject(fields)
  fields.nothingElse()
  return { Id: nameGroup({ project, nonce: randomBytes(6).toString('base64url') }).id }
}
