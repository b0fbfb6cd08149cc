import { packId, unpackId } from '../tasks/pack-id.ts'

export const GROUP_TYPES = ['AIGC', 'LivenessFace'] as const
export type GroupType = (typeof GROUP_TYPES)[number]

export interface Group {
  id: string
  type: GroupType
  project: string
}

const PREFIX = 'group-'

export function nameGroup({ project, nonce }: { project: string; nonce: string }): Group {
  return makeGroup('AIGC', { project, mark: nonce })
}

/** A person always has the same group, also after a restart. */
export function personGroup({ project, person }: { project: string; person: number }): Group {
  return makeGroup('LivenessFace', { project, mark: `person ${person}` })
}

export function readGroupId(id: string): Group | undefined {
  const [type, mark, project] = unpackId<Packed>(PREFIX, id) ?? []
  return type === undefined || mark === undefined || project === undefined ? undefined : { id, type, project }
}

type Packed = readonly [type: GroupType, mark: string, project: string]

function makeGroup(type: GroupType, { project, mark }: { project: string; mark: string }): Group {
  const packed: Packed = [type, mark, project]
  return { id: packId(PREFIX, packed), type, project }
}
