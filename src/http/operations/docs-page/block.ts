import type { Field } from './list-fields.ts'

/** Languages of the examples, with the name that their tab shows. */
export const LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const

export type ExampleLanguage = keyof typeof LANGUAGES

/** Piece of a page, for the writers of HTML and of Markdown. Texts may contain `code` and [links](#id). */
export type DocsBlock =
  | { kind: 'heading'; level: 2 | 3 | 4; text: string; id?: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; language: string; text: string }
  /** `id` is unique on the page. */
  | { kind: 'example'; id: string; texts: Readonly<Record<ExampleLanguage, string>> }
  | { kind: 'fields'; fields: readonly Field[] }
  | {
      kind: 'operation'
      id: string
      title: string
      method: string
      path: string
      blocks: readonly DocsBlock[]
    }
  | { kind: 'reply'; status: number; text: string; blocks: readonly DocsBlock[] }
  | { kind: 'sample'; text: string }
  | { kind: 'codes'; rows: readonly CodeRow[] }
  | { kind: 'links'; rows: readonly LinkRow[] }

export interface CodeRow {
  code: string
  message: string
  advice: string
}

export interface LinkRow {
  /** Anchor of the row on the index page. Old links use it, from when the reference was one page. */
  id: string
  href: string
  title: string
  /** Shown after the title as code. */
  path?: string
}

export interface DocsPage {
  /** Last part of the address; `index` is the page at `/docs`. */
  name: string
  title: string
  /** One sentence for lists of the pages. */
  summary: string
  blocks: readonly DocsBlock[]
  /** Entries that the contents show below the page. */
  contents: readonly LinkRow[]
}
