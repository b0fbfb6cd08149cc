import { ConfigError, type Fault } from '../config-error.ts'

/** Everything wrong with a catalog file at once; nothing of such a file is used. */
export class CatalogError extends ConfigError {
  constructor(fileName: string, faults: readonly Fault[]) {
    super(faults)
    this.name = 'CatalogError'
    this.message = describe(fileName, faults)
  }
}

function describe(fileName: string, faults: readonly Fault[]): string {
  const title = `${fileName} has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}; nothing was changed:`
  return [title, ...faults.map(({ setting, wrong, fix }) => `  ${setting}: ${wrong}.\n    ${fix}`)].join('\n')
}
