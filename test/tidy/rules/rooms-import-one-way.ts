import { programFiles, type SourceFile, type TidyRule, targetOf } from '../source-tree.ts'
import { ROOMS } from './layers.ts'

/** A sub-folder imports only those that its row of the table lists before it. */
export const roomsImportOneWay: TidyRule = (tree) =>
  Object.entries(ROOMS).flatMap(([folder, rooms]) =>
    programFiles(tree).flatMap((file) => importsAgainst(file, folder, rooms)),
  )

function importsAgainst(file: SourceFile, folder: string, rooms: readonly string[]): string[] {
  const room = roomOf(file.path, folder)
  if (room === undefined) return []
  const lowest = rooms.slice(0, rooms.indexOf(room) + 1)
  if (lowest.length === 0) return [`${file.path}: ${room} has no place in the order of ${folder}`]
  return file.imports.flatMap((entry) => {
    const target = targetOf(file, entry)
    if (target === undefined || !target.startsWith(`${folder}/`)) return []
    if (lowest.includes(roomOf(target, folder) ?? '')) return []
    return [`${file.path}:${entry.line}: ${room} must not import ${target}`]
  })
}

/** `src/app/text/plan/plan-call.ts` is in the room `plan` of `src/app/text`; undefined for a file beside the rooms. */
function roomOf(path: string, folder: string): string | undefined {
  if (!path.startsWith(`${folder}/`)) return undefined
  const [room, ...rest] = path.slice(folder.length + 1).split('/')
  return rest.length === 0 ? undefined : room
}
