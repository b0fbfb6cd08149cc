import type { Fields } from '../fields.ts'

/** Every project has groups and assets of its own. */
export function readProject(fields: Fields): string {
  return fields.text('ProjectName', { charactersMax: 64, otherwise: 'default' })
}
