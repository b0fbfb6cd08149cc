import type { DocsBlock, DocsPage } from './block.ts'
import { LANGUAGES } from './block.ts'
import type { Field } from './list-fields.ts'
import { INDEX_NAME, statusText } from './pages.ts'

/** Writes a page for programs that read text, such as agents. */
export function writeMarkdown({ title, summary, blocks }: DocsPage): string {
  return `${[`# ${title}`, summary, ...blocks.map(blockText)].join('\n\n')}\n`
}

/** List of the pages in the format of llmstxt.org. */
export function writeLlmsText(pages: readonly DocsPage[]): string {
  const row = ({ name, title, summary }: DocsPage) => `- [${title}](/docs/${name}.md): ${summary}`
  const [index] = pages
  const areas = pages.filter(({ name }) => name !== INDEX_NAME)
  const isForOperators = ({ name }: DocsPage) => name.startsWith('admin-') || name === 'service'
  return `# Sluice

> An AI gateway: videos, media assets and text models behind one HTTP service, with one API key. Clients of OpenAI and Anthropic work with it after a change of their base URL.

Send the API key as \`Authorization: Bearer <key>\`. Every page below is Markdown with the fields, the answers and examples in curl, TypeScript and Python of each operation.

## Clients

${[...(index === undefined ? [] : [index]), ...areas.filter((page) => !isForOperators(page))].map(row).join('\n')}

## Operators

${areas.filter(isForOperators).map(row).join('\n')}

## Optional

- [OpenAPI](/openapi.json): the whole API as an OpenAPI 3.1 document, with every schema.
`
}

function blockText(block: DocsBlock): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`
    case 'paragraph':
      return block.text
    case 'code':
      return fence(block.language, block.text)
    case 'example':
      return Object.entries(LANGUAGES)
        .map(([language, title]) => {
          const text = Object.entries(block.texts).find(([name]) => name === language)?.[1] ?? ''
          return `${title}:\n\n${fence(language === 'curl' ? 'sh' : language, text)}`
        })
        .join('\n\n')
    case 'fields':
      return fieldsText(block.fields)
    case 'operation':
      return [`## ${block.title}`, `\`${block.method} ${block.path}\``, ...block.blocks.map(blockText)].join(
        '\n\n',
      )
    case 'reply':
      return [`**${statusText(block.status)}** ${block.text}`, ...block.blocks.map(blockText)].join('\n\n')
    case 'sample':
      return fence('json', block.text)
    case 'codes':
      return block.rows.map(({ code, message, advice }) => `- \`${code}\`: ${message} ${advice}`).join('\n')
    case 'links':
      return block.rows
        .map(({ href, title, path }) => `- [${title}](${href})${path === undefined ? '' : ` \`${path}\``}`)
        .join('\n')
  }
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function fieldsText(fields: readonly Field[]): string {
  const rows = fields.map(({ name, type, required, description }) =>
    [`\`${name}\`${required ? '' : ' (optional)'}`, type, description]
      .map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' '))
      .join(' | '),
  )
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows.map((row) => `| ${row} |`)].join('\n')
}
