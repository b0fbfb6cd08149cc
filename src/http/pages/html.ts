/** Markup that is safe to send; a plain string is never that. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | number | undefined | false | readonly Piece[]

/** A template whose values are escaped, unless they are markup themselves. */
export function html(literals: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(String.raw({ raw: literals }, ...pieces.map(textOf)))
}

/** A sentence in which `backticks` mark code, as our summaries and advice are written. */
export function sentence(text: string): Html {
  const pieces = text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece))
  return html`${pieces}`
}

function textOf(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece))
  return piece.map(textOf).join('')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
