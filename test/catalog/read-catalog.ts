import { readCatalogFile } from '../../src/config/catalog/load-catalog.ts'
import type { CatalogEntry } from '../../src/domain/catalog/model.ts'

/** A catalog as it stands in a file, and what its reader says is wrong with it. */
export function readCatalog(source: string): { entries: CatalogEntry[]; faults: string[] } {
  const faults: string[] = []
  const entries = readCatalogFile({
    fileName: 'catalog.yaml',
    source,
    report: ({ setting, wrong, fix }) => faults.push(`${setting}: ${wrong}. ${fix}`),
  })
  return { entries, faults }
}
