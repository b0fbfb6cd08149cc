import { readCatalogFile } from '../../src/config/catalog/load-catalog.ts'
import type { CatalogEntry } from '../../src/domain/catalog/model.ts'

/** Reads a catalog as a file holds it; `faults` are the problems that its reader reports. */
export function readCatalog(source: string): { entries: CatalogEntry[]; faults: string[] } {
  const faults: string[] = []
  const entries = readCatalogFile({
    fileName: 'catalog.yaml',
    source,
    report: ({ setting, wrong, fix }) => faults.push(`${setting}: ${wrong}. ${fix}`),
  })
  return { entries, faults }
}
