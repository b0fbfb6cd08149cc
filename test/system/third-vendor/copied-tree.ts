import {
  constants,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const ADDED = fileURLToPath(new URL('./tree/', import.meta.url))
const PARTS = ['package.json', 'tsconfig.json', 'bin', 'src', 'sandbox', 'types']

/** A row of a table in the sources, and the import that it needs. */
interface Row {
  /** The file of the table. */
  path: string
  /** The line that the table begins with. */
  table: string
  row: string
  import: string
}

export const ROWS: readonly Row[] = [
  {
    path: 'src/domain/video/families/families.ts',
    table: 'export const FAMILIES = {',
    row: 'c: familyC,',
    import: "import { familyC } from './c/family.ts'",
  },
  {
    path: 'src/adapters/providers/drivers.ts',
    table: 'export const DRIVERS = {',
    row: "'vendor-x': vendorX,",
    import: "import { vendorX } from './vendor-x/row.ts'",
  },
  {
    path: 'sandbox/parts.ts',
    table: 'export const PARTS: readonly (() => SandboxPart)[] = [',
    row: 'createVendorX,',
    import: "import { createVendorX } from './vendor-x/vendor-x.ts'",
  },
]

/** The files that a third vendor adds, by their paths in the tree. */
export function addedFiles(): string[] {
  return globSync('{src,sandbox}/**/*.ts', { cwd: ADDED }).sort()
}

/** The program in a folder of its own, with the files and rows of a third vendor in it. */
export function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-third-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const part of PARTS) {
    // Tests need folders that are not copied.
    const filter = (path: string) => !path.endsWith('.test.ts')
    cpSync(join(REPOSITORY, part), join(folder, part), { recursive: true, filter })
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'))
  for (const path of addedFiles()) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    copyFileSync(join(ADDED, path), join(folder, path), constants.COPYFILE_EXCL)
  }
  for (const row of ROWS) insertRow(folder, row)
  return folder
}

/** Inserts a row at the end of the table, as a person would. */
function insertRow(folder: string, { path, table, row, import: needed }: Row): void {
  const file = join(folder, path)
  const lines = readFileSync(file, 'utf8').split('\n')
  const start = lines.indexOf(table)
  const end = lines.findIndex((line, index) => index > start && /^[}\]]/.test(line))
  if (start === -1 || end === -1) throw new Error(`${path} has no table that begins with ${table}`)
  writeFileSync(file, [needed, ...lines.toSpliced(end, 0, `  ${row}`)].join('\n'))
}
