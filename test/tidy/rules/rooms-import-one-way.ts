import { programFiles, type SourceFile, type TidyRule, targetOf } from '../source-tree.ts'
import { ROOMS } from './layers.ts'

/** A sub-folder imports only itself and the entries that its row of `ROOMS` lists before it. */
export const roomsImportOneWay: TidyRule = (tree) =>
  Object.entries(ROOMS).flatMap(([folder, rooms]) =>
    programFiles(tree).flatMap((file) => importsAgainst(file, folder, rooms)),
  )

function importsAgainst(file: SourceFile, folder: string, rooms: readonly string[]): string[] {
  const room = roomOf(file.path, folder)
  if (room === undefined) return []
  const allowed = rooms.slice(0, rooms.indexOf(room) + 1)
  if (allowed.length === 0)
    return room.endsWith('.ts') ? [] : [`${file.path}: ${room} has no place in the order of ${folder}`]
  return file.imports.flatMap((entry) => {
    const target = targetOf(file, entry)
    const other = target && roomOf(target, folder)
    if (other === undefined || allowed.includes(other)) return []
    return [`${file.path}:${entry.line}: ${room} must not import ${target}`]
  })
}

/** `src/app/text/plan/plan-call.ts` is in the room `plan` of `src/app/text`; a file beside the rooms is one, too. */
function roomOf(path: string, folder: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0] : undefined
}
