/** Markup that is safe to send, unlike a plain string. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | number | undefined | false | readonly Piece[]

/** Template whose values are escaped, except markup. */
export function html(literals: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(String.raw({ raw: literals }, ...pieces.map(textOf)))
}

/** Sentence in which `backticks` mark code, and [text](/path) or [text](#anchor) a link. */
export function sentence(text: string): Html {
  const pieces = text
    .split('`')
    .map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : linked(piece)))
  return html`${pieces}`
}

function linked(text: string): Html {
  const [plain = '', ...links] = text.split(/\[([^\]]+)\]\((\/(?!\/)[^)\s]*|#[^)\s]*)\)/)
  const pieces: Piece[] = [plain]
  for (let at = 0; at < links.length; at += 3) {
    pieces.push(html`<a href="${links[at + 1]}">${links[at]}</a>`, links[at + 2])
  }
  return html`${pieces}`
}

function textOf(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'string' || typeof piece === 'number')
    return String(piece).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
  return piece.map(textOf).join('')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
